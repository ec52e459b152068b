"""What a page's front matter asks of the theme, and whether the theme has it."""

from collections.abc import Mapping
from pathlib import Path

from mkdocs.theme import Theme

from weaver.pages.model import Page
from weaver.problem import Problem


def check(page: Page, meta: Mapping[str, object], theme: Theme) -> None:
    """Raise Problem, with its place, if a page names a template or an icon that the theme doesn't have."""
    for key, where in (("template", ""), ("icon", ".icons")):
        folders = [folder for folder in (Path(one, where) for one in theme.dirs) if folder.is_dir()]
        name = meta.get(key)
        file = name if key == "template" else f"{name}.svg"
        if name is not None and folders and not any((folder / str(file)).is_file() for folder in folders):
            place = page.front.place(page.path, key)
            raise Problem(f"{place}: the theme has no {key} `{name}`. Correct the name.")
