"""From the shell: `python -m weaver run FILE...`, `check`, `update` for snippets; `offline`, a zip."""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import click
import msgspec
import yaml

from weaver import tracing
from weaver.execution.snippets.runner import LIMIT, Runner
from weaver.execution.snippets.source import ALLOWED, NAME, names, read
from weaver.pages.expected import complaints, difference, outputs, verdict
from weaver.problem import Problem, shown

SNIPPETS = Path("snippets")
TEMPLATE = """import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
y.backward()
print(f"{x.grad = }")
"""
files = click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))


class _Seconds(click.ParamType):
    """A number of seconds above 0 that is no infinity."""

    name = "seconds"

    def convert(self, value, param, context):
        seconds = click.FLOAT.convert(value, param, context)
        if not 0 < seconds < math.inf:
            self.fail(f"{value} is no limit of time. Give a number of seconds above 0.", param, context)
        return seconds


limit = click.option(
    "--limit",
    type=_Seconds(),
    default=lambda: _limit(),
    show_default="`limit` of mkdocs.yml",
    help="Seconds that a snippet may take.",
)


@click.group(context_settings={"max_content_width": 120})
def main():
    """Run snippets as the site's build does."""


@main.command()
@files
@limit
@click.option("--json", "as_json", is_flag=True, help="Print results as JSON, with the line of each output.")
def run(files, limit, as_json):
    """Print what the pages would show of FILES (or of all snippets)."""
    failed = False
    found = {}
    for snippet, results in _run(files, limit):
        for variant, result in zip(snippet.variants, results, strict=True):
            name = shown(snippet.path) if variant.is_own else f"{shown(snippet.path)}: {variant.label}"
            found[name] = msgspec.to_builtins(result) | {"output": result.output}
            if not as_json:
                if len(files) != 1 or snippet.others:
                    click.secho(name, fg="cyan")
                click.echo(result.output, nl=False)
        for sentence in complaints(snippet, results):
            failed = True
            click.secho(sentence, fg="red", err=True)
    if as_json:
        click.echo(json.dumps(found, indent=1))
    sys.exit(failed)


@main.command()
@files
@limit
def check(files, limit):
    """Compare FILES (or all snippets) with the `.out` beside each."""
    wrong = [line for snippet, results in _run(files, limit) for line in verdict(snippet, results)]
    click.echo("\n".join(wrong) if wrong else "Every output is the one expected.")
    sys.exit(bool(wrong))


@main.command()
@files
@limit
def update(files, limit):
    """Accept what FILES (or all snippets) print: rewrite `.out`."""
    failed = False
    for snippet, results in _run(files, limit):
        if wrong := complaints(snippet, results):
            failed = True
            click.secho(f"{' '.join(wrong)} Its .out stays as it is.", fg="red", err=True)
            continue
        for line in difference(snippet, results):
            click.echo(line)
        snippet.expected_path.write_bytes(outputs(snippet, results).encode("utf-8"))
    for orphan in sorted(SNIPPETS.rglob("*.out")) if not files else ():
        if not orphan.with_suffix(".py").exists():
            click.echo(f"{orphan} belongs to no snippet and is removed.")
            orphan.unlink()
    sys.exit(failed)


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@limit
@click.option("--json", "as_json", is_flag=True, help="Print label, program and output of each as JSON.")
def variants(file, limit, as_json):
    """Print the program and the output of each variant of FILE."""
    [(snippet, results)] = _run([file], limit)
    found = [
        {"label": one.label, "source": one.code, "output": result.output}
        for one, result in zip(snippet.variants, results, strict=True)
    ]
    if as_json:
        click.echo(json.dumps(found, indent=1))
    else:
        for one in found:
            click.secho(one["label"] or shown(file), fg="cyan")
            click.echo(f"{one['source']}\n{one['output']}")
    for sentence in (wrong := complaints(snippet, results)):
        click.secho(sentence, fg="red", err=True)
    sys.exit(bool(wrong))


@main.command()
@click.argument("name")
@click.option("--docs", default="docs", type=click.Path(exists=True, file_okay=False, path_type=Path))
def new(name, docs):
    """Make the snippet NAME and its line on the page.

    NAME is `page/lesson`. Its expected output lies beside it. The line goes to the page's end: move it to
    where it belongs, to the same place in all languages.
    """
    topic = name.split("/")[0]
    path = SNIPPETS / f"{name}.py"
    pages = sorted(docs.glob(f"{topic}.md")) or sorted(docs.glob(f"*/{topic}.md"))
    if not NAME.fullmatch(name):
        raise click.ClickException(f"`{name}` is no name: write `page/what_it_shows`, {ALLOWED}.")
    if path.exists():
        raise click.ClickException(f"{path} is there already. Choose another name, or edit it.")
    if not pages:
        raise click.ClickException(f"there is no page {docs}/*/{topic}.md to show it. Write the page first.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TEMPLATE, encoding="utf-8")
    [(snippet, results)] = _run([path], LIMIT)
    snippet.expected_path.write_bytes(outputs(snippet, results).encode())
    for page in pages:
        text = page.read_text(encoding="utf-8").rstrip("\n")
        page.write_text(f"{text}\n\n{{{{ snippet {name} }}}}\n", encoding="utf-8")
    click.echo("\n".join(map(str, (path, snippet.expected_path, *pages))))


@main.command()
@click.argument("target", default="site.zip", type=click.Path(dir_okay=False, path_type=Path))
def offline(target):
    """Build the site as a zip that is read from the disk.

    Unpack TARGET and open index.html.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.")  # noqa: SIM115
    except OSError as error:
        raise click.ClickException(f"{target} cannot be written: {error}. Give another place.") from None
    with part, tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder]
        done = subprocess.run(
            build, env={**os.environ, "OFFLINE": "true"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if done.returncode:  # what `--quiet` would say, but that it counts no warnings
            sys.stderr.write(done.stdout.decode(errors="replace"))
            sys.exit(1)
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file():
                    entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())  # of 1980: no clock
                    archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
        part.flush()
        shutil.copyfile(part.name, target)
    click.echo(f"{shown(target)}: {target.stat().st_size / 2**20:.1f} MiB. Unpack it and open index.html.")


@main.command()
@click.argument("target", default="woven", type=click.Path(file_okay=False, path_type=Path))
def weave(target):
    """Write every page and its outputs as Markdown and HTML.

    TARGET gets a project per language, which other generators than MkDocs can build: no plugin is left.
    """
    from weaver.mkdocs.woven import weave as write

    try:
        pages = write(Path("mkdocs.yml"), target)
    except Problem as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(f"{shown(target)}: {pages} pages.")


def _limit():
    """Return the `limit` of mkdocs.yml, or the engine's own where there is none that can be read."""
    try:
        plugins = yaml.load(Path("mkdocs.yml").read_text(encoding="utf-8"), _Loader)["plugins"]
        entries = plugins if isinstance(plugins, list) else [plugins]
        [limit] = [entry["weaver"]["limit"] for entry in entries if "weaver" in entry]
    except (OSError, ValueError, LookupError, TypeError, yaml.YAMLError):
        return LIMIT
    return LIMIT if limit is None else limit


class _Loader(yaml.SafeLoader):
    """Reads mkdocs.yml without what its tags stand for: `!ENV`, `!!python/name:...`."""


for _tags in ("!", "tag:yaml.org,2002:python/"):
    _Loader.add_multi_constructor(_tags, lambda loader, tag, node: None)


def _run(files, limit):
    """Run the snippets in `files`, or all; return each with the results of its variants, never kept ones."""
    if not files and not SNIPPETS.is_dir():
        raise click.ClickException("there is no folder `snippets` here. Go to the project's own folder.")
    paths = files or [SNIPPETS / f"{name}.py" for name in names(SNIPPETS)]
    try:
        snippets = [read(path, shown(path.with_suffix(""))) for path in paths]
    except Problem as problem:
        raise click.ClickException(str(problem)) from None
    with Runner(limit=limit) as runner:
        results = runner.run(one for snippet in snippets for one in snippet.variants)
    return [(snippet, [results[one.name] for one in snippet.variants]) for snippet in snippets]


main.add_command(tracing.command)

if __name__ == "__main__":
    main(prog_name="python -m weaver")
