"""Our own files under `assets/`, and the icon, get names with a hash of what they hold.

So they can be cached forever.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

import lightningcss
import minify
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from weaver import render
from weaver.player import view
from weaver.player.page import in_script

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
    found["assets/weaver.js"] += (OPENER + view.button()).encode()
    return {path: minified(path, content) for path, content in found.items()}


@cache
def minified(path: str, content: bytes) -> bytes:
    """Return a script or a style sheet without what only its writers read; any other file as it is."""
    if path.endswith(".js"):
        return minify.string("text/javascript", content.decode()).encode()
    if path.endswith(".css"):
        return lightningcss.process_stylesheet(content.decode(), error_recovery=True).encode()
    return content


def hash_names(files: Files, config: MkDocsConfig, words: Mapping[str, str]) -> Files:
    """Give our own files names with a hash; tell the configuration. `words` are those of the traces."""
    icon = config.theme.get("favicon")  # the built-in themes have none
    own = [config.theme.custom_dir, config.docs_dir]
    assets = {
        file.src_uri: file
        for file in files
        if (OWN.fullmatch(file.src_uri) and file.src_dir in own) or file.src_uri == icon
    }
    contents = {path: minified(path, file.content_bytes) for path, file in assets.items()}
    renamed = rename(contents | engine_assets(words))
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


def rename(files: dict[str, bytes]) -> dict[str, tuple[str, bytes]]:
    """Return each path's new path and content: `a/site.css` -> `a/site.1f3a5b7c.css`.

    A file that names another, as a style sheet does a font, gets the new name.
    """
    renamed: dict[str, tuple[str, bytes]] = {}
    for path in sorted(files, key=lambda path: path.endswith((".css", ".js"))):  # these name the others
        content = files[path]
        for old, (new, _) in renamed.items():
            if path.endswith((".css", ".js")) and PurePosixPath(old).parent == PurePosixPath(path).parent:
                named = rf"(?<=[\"'(]){re.escape(PurePosixPath(old).name)}(?=[\"')])".encode()
                content = re.sub(named, PurePosixPath(new).name.encode(), content)
        digest = hashlib.sha256(content).hexdigest()[:8]
        at = PurePosixPath(path)
        renamed[path] = str(at.with_name(f"{at.stem}.{digest}{at.suffix}")), content
    return renamed
