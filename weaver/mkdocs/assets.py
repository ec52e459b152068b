"""Our own files under `assets/`, and the icon, get names with a hash of what they hold."""

import re
from collections.abc import Mapping
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from weaver import render
from weaver.site import hashed_names
from weaver.trace import view
from weaver.trace.page import in_script

# What every page carries of the player: where it lies, beside this script, and the button
OPENER = """
const player = { player: "player.js", style: "player.css", words: "words.js" };
for (const key in player) player[key] = new URL(player[key], document.currentScript.src).href;
(window.weaverTrace ||= {}).beside = player;
"""
ASSETS = Path(render.__file__).parent / "assets"
OWN = re.compile(r"assets/[\w-]+\.(css|js|png|woff2)")


def engine_assets(words: Mapping[str, str]) -> dict[str, bytes]:
    """Return the styles and scripts that directives need, which come with the engine, by their paths.

    `words` are those of the view of a trace.
    """
    player = {"player.js": view.script(), "player.css": view.style()}
    player["words.js"] = f'weaverTrace.add("words", {in_script(words)});\n'
    found = {f"assets/{name}": text.encode() for name, text in player.items()}
    found |= {f"assets/{path.name}": path.read_bytes() for path in sorted(ASSETS.iterdir())}
    found["assets/flip.js"] = view.short(found["assets/flip.js"].decode()).encode()
    found["assets/weaver.js"] += (OPENER + view.button()).encode()
    return found


def want_engine_assets(config: MkDocsConfig) -> None:
    """Have every page load them, before the site's own, which may say otherwise."""
    config.extra_css.insert(0, "assets/weaver.css")
    config.extra_javascript.insert(0, "assets/weaver.js")


def hash_names(files: Files, config: MkDocsConfig, words: Mapping[str, str]) -> Files:
    """Give our own files names with a hash; tell the configuration. `words` are those of the traces."""
    icon = config.theme.get("favicon")  # the built-in themes have none
    own = [config.theme.custom_dir, config.docs_dir]
    assets = {
        file.src_uri: file
        for file in files
        if (OWN.fullmatch(file.src_uri) and file.src_dir in own) or file.src_uri == icon
    }
    contents = {path: Path(file.abs_src_path).read_bytes() for path, file in assets.items()}
    renamed = hashed_names.rename(contents | engine_assets(words))
    names = config.extra["hashed"] = {path: new for path, (new, _) in renamed.items()}
    for path, (new, content) in renamed.items():
        if path in assets:
            files.remove(assets[path])
        files.append(File.generated(config, new, content=content))
    config.extra_css = [names.get(path, path) for path in config.extra_css]
    config.extra_javascript = [names.get(str(path), path) for path in config.extra_javascript]
    config.extra["polyfills"] = [names.get(path, path) for path in config.extra.get("polyfills", [])]
    if icon:
        config.theme["favicon"] = names.get(icon, icon)
    return files
