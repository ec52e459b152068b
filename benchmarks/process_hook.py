"""A MkDocs hook, copied into the site of `process`: each `@@ name` line becomes a program and its output."""

import re
import subprocess
import sys
from pathlib import Path


def on_page_markdown(markdown, page, config, files):
    """Put the program and what `python file.py` prints in the place of each `@@ name`."""
    snippets = Path(config.config_file_path).with_name("snippets")

    def fences(match):
        file = snippets / f"{match[1]}.py"
        run = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True)
        return f"```python\n{file.read_text(encoding='utf-8')}```\n\n```text\n{run.stdout}```"

    return re.sub(r"^@@ (\S+)$", fences, markdown, flags=re.M)
