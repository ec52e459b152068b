"""What is said of an error that ends a build, where a sentence is enough."""

import errno
import traceback
from pathlib import Path

from jinja2 import TemplateError

from weaver.problem import Problem, shown

# a full disk, a file or quota that is too large, a disk that fails or cannot be written
NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.EROFS)


def sentence(error: Exception) -> str | None:
    """Return what is wrong, where, and what to do; None if only a traceback tells that."""
    if isinstance(error, Problem):
        return str(error)
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return f"the site cannot be written: {error}. What was there is as it was."
    if isinstance(error, TemplateError):
        frames = traceback.extract_tb(error.__traceback__)
        [*_, last] = [one for one in frames if not one.filename.endswith(".py")] or frames
        place = f"{shown(Path(last.filename))}:{last.lineno}"
        return f"{place}: the template cannot be rendered: {error}. Mend it."
    return None
