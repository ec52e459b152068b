"""The command `weaver`: run, check and update snippets, trace a program, write the site as a zip."""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
import yaml

from weaver.execution.fingerprint import version
from weaver.execution.snippets.result import Result
from weaver.execution.snippets.runner import LIMIT, Runner
from weaver.execution.snippets.source import Snippet, paths_in, read
from weaver.pages import example
from weaver.pages.expected import complaints, difference, outputs, verdict, want_file
from weaver.problem import Problem, counted, shown
from weaver.tracing import command as tracing
from weaver.versions import command as versions
from weaver.why import command as why

files = click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))


class _Seconds(click.ParamType):
    """A positive, finite number of seconds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> float:
        seconds = click.FLOAT.convert(value, param, context)
        if not 0 < seconds < math.inf:
            self.fail(f"must be a positive number of seconds, not {value}.", param, context)
        return seconds


limit = click.option(
    "--limit",
    type=_Seconds(),
    default=lambda: _limit(),
    show_default="`limit` in mkdocs.yml",
    help="Seconds of processor time that a snippet may use; it may be idle three times as long.",
)


class _Commands(click.Group):
    """Reports a `Problem`, which the user can fix, as a message without a traceback."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except Problem as problem:
            raise click.ClickException(str(problem)) from None


@click.group(cls=_Commands, context_settings={"max_content_width": 120})
@click.version_option(version("autograd-weaver"), prog_name="weaver")
def main() -> None:
    """Run snippets as the site's build does."""


@main.command()
@files
@limit
@click.option("--json", "as_json", is_flag=True, help="Print results as JSON, with the line of each output.")
def run(files: Sequence[Path], limit: float, as_json: bool) -> None:
    """Print what pages would show for FILES (or all snippets).

    A folder means all snippets in it.
    """
    failed = False
    found = {}
    for snippet, results in (runs := _run(files, limit)):
        for variant, result in zip(snippet.variants, results, strict=True):
            name = shown(snippet.path) if variant.is_own else f"{shown(snippet.path)}: {variant.label}"
            found[name] = msgspec.to_builtins(result) | {"output": result.output}
            if not as_json:
                if len(runs) != 1 or snippet.others:
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
def check(files: Sequence[Path], limit: float) -> None:
    """Compare FILES (or all snippets) with their `.out` files."""
    wrong = [line for snippet, results in _run(files, limit) for line in verdict(snippet, results)]
    click.echo("\n".join(wrong) if wrong else "All outputs are as expected.")
    sys.exit(bool(wrong))


@main.command()
@files
@limit
def update(files: Sequence[Path], limit: float) -> None:
    """Rewrite the `.out` files of FILES (or all snippets)."""
    failed = False
    for snippet, results in _run(files, limit):
        if wrong := complaints(snippet, results):
            failed = True
            click.secho(f"{' '.join(wrong)} Its .out file is unchanged.", fg="red", err=True)
            continue
        for line in difference(snippet, results):
            click.echo(line)
        snippet.expected_path.write_bytes(outputs(snippet, results).encode("utf-8"))
    for orphan in sorted(_snippets().rglob("*.out")) if not files else ():
        if not orphan.with_suffix(".py").exists():
            click.echo(f"{orphan} has no snippet. Remove it if it's left over.")
    sys.exit(failed)


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@limit
@click.option("--json", "as_json", is_flag=True, help="Print label, program and output of each as JSON.")
def variants(file: Path, limit: float, as_json: bool) -> None:
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
@click.option(
    "--docs",
    default="docs",
    show_default=True,
    help="The folder with the pages, or with a folder per language.",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
def new(name: str, docs: Path) -> None:
    """Create the snippet NAME and add it to its page.

    NAME is `page/lesson`. The expected output is written next to it, and a line is added at the end of the
    page in each language: move it to where it belongs, to the same place in all of them.
    """
    try:
        written = example.add(name, _snippets(), docs, lambda path: _run([path], LIMIT)[0])
    except (Problem, OSError) as error:
        raise click.ClickException(f"{error} Nothing was written.") from None
    click.echo("\n".join(map(str, written)))


@main.command()
@click.argument("target", default="site.zip", type=click.Path(dir_okay=False, path_type=Path))
def offline(target: Path) -> None:
    """Build the site as a zip file for reading offline.

    Unpack TARGET (`site.zip` by default) and open index.html.
    """
    is_ours = target.is_file() and (zipfile.is_zipfile(target) or not target.stat().st_size)
    if target.exists() and not is_ours:
        raise click.ClickException(f"{target} exists and isn't a zip file. Name another file.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.")  # noqa: SIM115
    except OSError as error:
        said = f"{target} can't be written: {error.strerror}. Name another file."
        raise click.ClickException(said) from None
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
def weave(target: Path) -> None:
    """Write every page and its outputs as Markdown and HTML.

    TARGET (`woven` by default) gets a project per language that needs no plugin, so generators other than
    MkDocs can build it.
    """
    from weaver.mkdocs.export import weave as write

    is_new = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=target).close()
        pages = write(Path("mkdocs.yml"), target)
    except OSError as error:
        said = f"{target} can't be written: {error.strerror}. Name another folder."
        raise click.ClickException(said) from None
    finally:
        if is_new and target.is_dir() and not os.listdir(target):
            target.rmdir()
    click.echo(f"{shown(target)}: {counted(pages, 'page')}.")


def _limit() -> float:
    limit = _setting("limit", LIMIT)
    try:
        return _Seconds().convert(limit, None, None)
    except click.BadParameter:
        said = f"mkdocs.yml: `limit` must be a positive number of seconds, not `{limit}`."
        raise click.ClickException(said) from None


def _snippets() -> Path:
    return Path(str(_setting("snippets", "snippets")))


def _setting(name: str, otherwise: Any) -> Any:
    """Return a setting of mkdocs.yml, or another value where there is none that can be read."""
    try:
        plugins = yaml.load(Path("mkdocs.yml").read_text(encoding="utf-8"), _LoaderWithoutTags)["plugins"]
        entries = plugins if isinstance(plugins, list) else [plugins]
        [found] = [entry["weaver"][name] for entry in entries if "weaver" in entry]
    except (OSError, ValueError, LookupError, TypeError, yaml.YAMLError):
        return otherwise
    return otherwise if found is None else found


class _LoaderWithoutTags(yaml.SafeLoader):
    """Reads mkdocs.yml with None for what its tags mean: `!ENV`, `!!python/name:...`."""


for _tags in ("!", "tag:yaml.org,2002:python/"):
    _LoaderWithoutTags.add_multi_constructor(_tags, lambda loader, tag, node: None)


def _run(files: Sequence[Path], limit: float) -> list[tuple[Snippet, list[Result]]]:
    """Run the snippets in `files`, or all; return each with the results of its variants, never kept ones."""
    folder = _snippets()
    if not files and not folder.is_dir():
        raise click.ClickException(f"there is no folder `{folder}` here. Change to the project's folder.")
    for file in files:
        if file.is_dir() and not file.resolve().is_relative_to(folder.resolve()):
            raise click.ClickException(f"{shown(file)} isn't in the folder `{folder}`. Name a folder there.")
    paths = dict.fromkeys(path for file in files or [folder] for path in paths_in(file))
    snippets = [read(path, shown(path.with_suffix(""))) for path in paths]
    for snippet in snippets:
        want_file(snippet)
    with Runner(limit=limit) as runner:
        results = runner.run(one for snippet in snippets for one in snippet.variants)
    return [(snippet, [results[one.name] for one in snippet.variants]) for snippet in snippets]


main.add_command(tracing.command)
main.add_command(versions.command(_snippets))
main.add_command(why.command)

if __name__ == "__main__":
    main(prog_name="python -m weaver")
