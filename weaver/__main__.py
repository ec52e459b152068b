"""From the shell: `python -m weaver run FILE...`, `check`, `update` for snippets; `offline`, a zip."""

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from difflib import unified_diff
from pathlib import Path

import click

from weaver.book import complaint
from weaver.problem import Problem, shown
from weaver.run import LIMIT, Runner
from weaver.snippet import Snippet, names, read

SNIPPETS = Path("snippets")
UPDATE = "python -m weaver update"
files = click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
limit = click.option("--limit", default=LIMIT, show_default=True, help="Seconds that a snippet may take.")


@click.group()
def main():
    """Run snippets as the site's build does."""


@main.command()
@files
@limit
@click.option("--json", "as_json", is_flag=True, help="Print results as JSON, with the line of each output.")
def run(files, limit, as_json):
    """Print what the pages would show of FILES (without any: of all snippets)."""
    failed = False
    found = {}
    for snippet, result in _run(files, limit):
        found[shown(snippet.path)] = result.to_json() | {"output": result.output}
        if not as_json:
            if len(files) != 1:
                click.secho(f"{shown(snippet.path)}", fg="cyan")
            click.echo(result.output, nl=False)
        if result.failure:
            failed = True
            click.secho(complaint(snippet, result), fg="red", err=True)
    if as_json:
        click.echo(json.dumps(found, indent=1))
    sys.exit(failed)


@main.command()
@files
@limit
def check(files, limit):
    """Compare the output of FILES (without any: of all snippets) with the `.out` beside each."""
    wrong = [line for snippet, result in _run(files, limit) for line in verdict(snippet, result)]
    click.echo("\n".join(wrong) if wrong else "Every output is the one expected.")
    sys.exit(bool(wrong))


@main.command()
@files
@limit
def update(files, limit):
    """Accept the output of FILES (without any: of all snippets): rewrite `.out`, print the diff."""
    failed = False
    for snippet, result in _run(files, limit):
        if result.failure:
            failed = True
            click.secho(f"{complaint(snippet, result)} Its .out stays as it is.", fg="red", err=True)
            continue
        for line in difference(snippet, result):
            click.echo(line)
        snippet.expected_path.write_bytes(result.output.encode("utf-8"))
    for orphan in sorted(SNIPPETS.rglob("*.out")) if not files else ():
        if not orphan.with_suffix(".py").exists():
            click.echo(f"{orphan} belongs to no snippet and is removed.")
            orphan.unlink()
    sys.exit(failed)


def difference(snippet: Snippet, result) -> list[str]:
    """Return the unified diff from the expected output to the real one; empty if they are equal."""
    path = snippet.expected_path
    expected = path.read_bytes().decode("utf-8").split("\n") if path.exists() else []
    name = shown(path)
    return list(
        unified_diff(expected, result.output.split("\n"), f"{name} (expected)", f"{name} (now)", lineterm="")
    )


@main.command()
@click.argument("target", default="site.zip", type=click.Path(dir_okay=False, path_type=Path))
def offline(target):
    """Build the site as a zip, TARGET, that is read from the disk: unpack it and open index.html."""
    with tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", folder]
        if subprocess.run(build, env={**os.environ, "OFFLINE": "true"}).returncode:
            sys.exit(1)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file():
                    entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())  # of 1980: no clock
                    archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    click.echo(f"{shown(target)}: {target.stat().st_size / 2**20:.1f} MiB. Unpack it and open index.html.")


@main.command("trace")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--json", "as_json", is_flag=True, help="Print the whole state after every step as JSON.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write it here (.html: the view).",
)
@click.option(
    "--language", type=click.Choice(["ko", "en"]), default="en", show_default=True, help="Of the view."
)
@click.option("--steps", default=1000, show_default=True, help="Steps that are kept; of a loop, both ends.")
@click.option("--elements", default=64, show_default=True, help="Elements of the largest listed tensor.")
@click.option("--seconds", default=60.0, show_default=True, help="How long the program may run.")
@click.option("--bytes", "size", default=2_000_000, show_default=True, help="Size of the trace as stored.")
def trace_program(file, arguments, as_json, output, language, steps, elements, seconds, size):
    """Run FILE, your own program, with ARGUMENTS (after `--`), and show what each line did to its tensors."""
    from weaver.trace import compact, full, model, page
    from weaver.trace.command import trace

    limits = model.Limits(steps=steps, elements=elements, seconds=seconds, bytes=size)
    traced = trace(file, arguments, limits)
    if output and output.suffix == ".html":
        text = page.page(traced, file.read_text("utf-8"), language, max(size, page.LIMIT))
    else:
        text = json.dumps(full.spell_out(traced), indent=1) if as_json else compact.write(traced)
    if output:
        output.write_text(text + "\n", "utf-8")
    else:
        click.echo(text)
    if traced.stopped:
        click.secho(traced.stopped, fg="red", err=True)


def verdict(snippet: Snippet, result) -> list[str]:
    """Return what is wrong with a snippet's result: its failure, or the diff and how to accept it."""
    if result.failure:
        return [complaint(snippet, result)]
    if not snippet.expected_path.exists():
        return [f"{shown(snippet.expected_path)} is missing. Make it: {UPDATE} {shown(snippet.path)}"]
    diff = difference(snippet, result)
    return [*diff, f"If that is right: {UPDATE} {shown(snippet.path)}"] if diff else []


def _run(files, limit):
    """Run the snippets in `files`, or all; return each with its result. Nothing comes from the cache."""
    if not files and not SNIPPETS.is_dir():
        raise click.ClickException("there is no folder `snippets` here. Go to the project's own folder.")
    paths = files or [SNIPPETS / f"{name}.py" for name in names(SNIPPETS)]
    try:
        snippets = [read(path, shown(path.with_suffix(""))) for path in paths]
    except Problem as problem:
        raise click.ClickException(str(problem)) from None
    with Runner(limit=limit) as runner:
        results = runner.run(snippets)
    return [(snippet, results[snippet.name]) for snippet in snippets]


if __name__ == "__main__":
    main(prog_name="python -m weaver")
