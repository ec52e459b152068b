"""A program without a statement, on a page."""

import pytest
from support.project import mkdocs, write_files


@pytest.mark.parametrize("program", ["", "# nothing to do\n\n# yet\n"], ids=["empty", "comments"])
def test_a_program_without_a_statement_is_shown(program, tmp_path):
    write_files(
        tmp_path,
        {
            "mkdocs.yml": "site_name: Plain\ntheme: mkdocs\nplugins: [search, weaver]\n",
            "docs/index.md": "# Nothing\n\n{{ snippet first/nothing }}\n",
            "snippets/first/nothing.py": program,
        },
    )
    done = mkdocs("build", "--strict", cwd=tmp_path)
    assert done.returncode == 0 and "Traceback" not in done.stdout, done.stdout
    assert program.partition("\n")[0] in (tmp_path / "site/index.html").read_text(encoding="utf-8")
