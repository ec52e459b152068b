"""The plugin's settings in `mkdocs.yml`."""

from mkdocs.config import base
from mkdocs.config import config_options as options

from weaver.execution.labs.runner import LIMIT as LAB_LIMIT
from weaver.execution.snippets.runner import LIMIT


class Options(base.Config):
    """`limit` and `lab_limit` are seconds; the others are paths, names and switches.

    `front_matter` lists the keys that the front matter of every page must have.
    """

    snippets = options.Dir(exists=True, default="snippets")
    cache = options.Dir(default=".cache/weaver")
    limit = options.Type((int, float), default=LIMIT)
    lab_limit = options.Type((int, float), default=LAB_LIMIT)
    languages = options.DictOfItems(options.Type(dict), default={})
    offline = options.Type(bool, default=False)
    glossary = options.Optional(options.File(exists=True))
    synonyms = options.Optional(options.File(exists=True))
    front_matter = options.ListOfItems(options.Choice(("title", "description", "keywords")), default=[])
    colab = options.Type(str, default="")
