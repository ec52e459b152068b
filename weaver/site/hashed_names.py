"""Files with a hash of their content in their name, so that they can be cached forever."""

import hashlib
import re
from pathlib import PurePosixPath


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
