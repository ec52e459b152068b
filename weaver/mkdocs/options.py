"""The plugin's settings in `mkdocs.yml`."""

import math
import os
from pathlib import Path

from mkdocs.config import base
from mkdocs.config import config_options as option
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort

from weaver.execution.labs.runner import LIMIT as LAB_LIMIT
from weaver.execution.snippets.runner import LIMIT


class Seconds(option.Type):
    """A limit of time: a number above 0 that is no infinity."""

    def __init__(self, default: float):
        super().__init__((int, float), default=default)

    def run_validation(self, value: object) -> float:
        seconds = super().run_validation(value)
        if isinstance(seconds, bool) or not 0 < seconds < math.inf:
            raise base.ValidationError(f"must be a positive number of seconds, not {value}.")
        return seconds


class Options(base.Config):
    """`limit` and `lab_limit` are seconds of processor time; the others are paths, names and switches.

    `front_matter` lists the keys that the front matter of every page must have, and `words` and
    `typed` are folders with a file for each language. `policy` has pages forbid other hosts and scripts that
    they did not bring; `traces` has every program watched, for readers to step through; `parity` has the
    languages compared; `twins` and `notebooks` are written next to pages; `cards` draws the picture of each
    page that the theme may name where it is linked; `inline_styles` puts the styles that a page uses into it;
    `moved` maps pages that once were to those that they are now.
    """

    snippets = option.Dir(exists=True, default="snippets")
    cache = option.Dir(default=".cache/weaver")
    limit = Seconds(LIMIT)
    lab_limit = Seconds(LAB_LIMIT)
    languages = option.DictOfItems(option.Type(dict), default={})
    inline_styles = option.Type(bool, default=False)
    offline = option.Type(bool, default=False)
    words = option.Optional(option.Dir(exists=True))
    glossary = option.Optional(option.File(exists=True))
    synonyms = option.Optional(option.File(exists=True))
    typed = option.Optional(option.Dir(exists=True))
    moved = option.DictOfItems(option.Type(str), default={})
    front_matter = option.ListOfItems(option.Choice(("title", "description", "keywords")), default=[])
    colab = option.Type(str, default="")
    policy = option.Type(bool, default=False)
    traces = option.Type(bool, default=True)
    parity = option.Type(bool, default=True)
    twins = option.Type(bool, default=True)
    notebooks = option.Type(bool, default=True)
    cards = option.Type(bool, default=False)


def check(config: MkDocsConfig, options: Options, cache: Path) -> None:
    """Raise Abort where the settings, each right by itself, do not go together, or are in no file."""
    try:
        os.getcwd()
    except OSError:
        raise Abort("The working directory is gone. Change to one that exists.") from None
    settings = [getattr(plugin, "config", None) for plugin in config.plugins.values()]  # hooks have none
    if len([one for one in settings if isinstance(one, Options)]) > 1:
        raise Abort("mkdocs.yml: `plugins` lists `weaver` more than once. Keep one.")
    if not Path(config.config_file_path or "").is_file():
        raise Abort(
            "The configuration is read once per language. Pass a file, not stdin, and leave "
            "stdin open: `mkdocs build < /dev/null`."
        )
    for name, folder in (("docs_dir", config.docs_dir), ("snippets", options.snippets)):
        if cache.resolve().is_relative_to(Path(folder).resolve()):
            raise Abort(
                f"mkdocs.yml: `cache` is inside `{name}`, whose files are read. Set it to another folder."
            )
