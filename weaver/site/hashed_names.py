"""Files with a hash of their content in their name, so that they can be kept for ever."""

import hashlib
from pathlib import PurePosixPath


def rename(files: dict[str, bytes]) -> dict[str, tuple[str, bytes]]:
    """Return for each path its new path and content: `a/site.css` -> `a/site.1f3a5b7c.css`.

    Where one file names another, as a stylesheet its font, it names the new path.
    """
    renamed = {}
    for path in sorted(files, key=lambda path: path.endswith((".css", ".js"))):  # these name the others
        content = files[path]
        for old, (new, _) in renamed.items():
            if path.endswith((".css", ".js")) and PurePosixPath(old).parent == PurePosixPath(path).parent:
                content = content.replace(
                    f'"{PurePosixPath(old).name}"'.encode(), f'"{PurePosixPath(new).name}"'.encode()
                )
        digest = hashlib.sha256(content).hexdigest()[:8]
        at = PurePosixPath(path)
        renamed[path] = str(at.with_name(f"{at.stem}.{digest}{at.suffix}")), content
    return renamed
