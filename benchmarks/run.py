"""The weaver and its peers build the same site side by side; prints tables, writes results.json and .svg."""

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from measure import Failed, measure
from picture import svg
from report import BEFORE, IMPORT, SCENES, Results
from sites import PER_PAGE, SETTINGS, files, shortcoming

HERE = Path(__file__).resolve().parent
PROJECT, PEERS = HERE.parent, HERE / ".peers"
PYTHON = PEERS / "bin" / "python"
SIZES = (10, 40, 120, 1000)
ALWAYS = ("static", "weaver")
OTHERS = tuple(name for name in SETTINGS if name not in ALWAYS)
LARGEST = {"mkdocs-jupyter": 40, "process": 40}  # snippets; more would take minutes per build
# Environment variables of the caller that would change a build, by their beginnings.
FOREIGN = ("PYTHON", "XDG_", "JUPYTER", "IPYTHON", "TORCH", "OMP_", "MKL_", "GLIBC_")


def arguments() -> argparse.Namespace:
    """Return what the command line asks for; ends with a sentence if it cannot be done."""
    parser = argparse.ArgumentParser(prog="python benchmarks/run.py", description=__doc__)
    parser.add_argument("--sizes", type=_positive, nargs="+", default=SIZES, help="snippets per site")
    parser.add_argument("--rounds", type=_positive, default=3, help="how often; medians are reported")
    parser.add_argument("--peers", nargs="*", choices=OTHERS, default=OTHERS, help="beside static and weaver")
    parser.add_argument("--before", metavar="COMMIT", help="the weaver of another commit, as one more peer")
    asked = parser.parse_args()
    if sys.platform != "linux":
        parser.error("this runs under Linux alone: elsewhere the weaver does not fork.")
    asked.sizes = sorted(set(asked.sizes))
    return asked


def _positive(text):
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number above 0.")
    return int(text)


def prepare() -> None:
    """Make the environment of all contestants, unless it is there and made of the same things.

    The project's own requirements go in too: pip refuses them if they pin anything otherwise.
    """
    lists = [file for file in (HERE / "requirements.txt", PROJECT / "requirements.txt") if file.exists()]
    made_of = [file.read_bytes() for file in (*lists, PROJECT / "pyproject.toml")]
    digest = hashlib.sha256(b"\0".join([sys.version.encode(), os.fsencode(PROJECT), *made_of])).hexdigest()
    stamp = PEERS / "stamp"
    if stamp.exists() and stamp.read_text() == digest:
        return
    say("Making the environment of the contestants; torch is large.")
    install = [PYTHON, "-m", "pip", "install", "--quiet", "--no-cache-dir"]
    install += [word for file in lists for word in ("-r", file)]
    for command in ([sys.executable, "-m", "venv", "--clear", PEERS], install):
        try:
            measure(command, PROJECT, os.environ)
        except Failed as failed:
            raise Failed(f"The environment cannot be made: its command {failed}") from None
    stamp.write_text(digest)


def earlier(commit: str, folder: Path) -> Path:
    """Unpack the weaver of a commit into `folder`; return what goes into PYTHONPATH for it."""
    archive = folder / "before.tar"
    command = ["git", "archive", f"--output={archive}", commit, "weaver", "pyproject.toml"]
    measure(command, PROJECT, os.environ)
    there = folder / BEFORE
    shutil.unpack_archive(archive, there)
    project = tomllib.loads((there / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"]["mkdocs.plugins"].items()
    told = {"METADATA": f"Name: {project['name']}\nVersion: 0\n"}
    told["entry_points.txt"] = "\n".join(["[mkdocs.plugins]", *(f"{name} = {at}" for name, at in points)])
    write(there / f"{project['name'].replace('-', '_')}-0.dist-info", told)
    return there


def engine() -> bytes:
    """Return a digest of the weaver's sources: its cache is void when they change."""
    sources = sorted((PROJECT / "weaver").rglob("*.py"))
    return hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).digest()


class Benchmark:
    """Builds the contestants' sites of each size in `folder`, and keeps what that cost."""

    def __init__(self, folder: Path, contestants: list[str], sizes: list[int], before: Path | None = None):
        self.folder, self.contestants, self.sizes = folder, contestants, sizes
        self.before = before
        self.measurements, self.engine = [], engine()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        self.environment = kept | {"HOME": str(folder), "TMPDIR": str(folder), "NO_MKDOCS_2_WARNING": "1"}

    def warm_up(self) -> None:
        """Build a page with each, so that none pays for byte code that is not there and a cold disk."""
        for contestant in self.contestants:
            self._build(contestant, PER_PAGE, "cold")

    def round(self, number: int) -> None:
        """Measure everything once, in turn; every other round in the opposite order."""
        cost, _ = measure([PYTHON, "-c", IMPORT], self.folder, self.environment)
        self._keep(IMPORT, 0, IMPORT, number, cost)
        for size in self.sizes:
            able = [name for name in self.contestants if size <= LARGEST.get(name, size)]
            for scene in SCENES:
                for contestant in able if number % 2 else reversed(able):
                    self._keep(contestant, size, scene, number, self._build(contestant, size, scene))
        if engine() != self.engine:
            raise Failed("weaver/ was edited while it was measured. Measure again.")

    def _keep(self, contestant, size, scene, number, cost):
        at = {"contestant": contestant, "size": size, "scene": scene, "round": number}
        self.measurements.append(at | cost._asdict())
        say(f"round {number}, N={size}, {scene}: {contestant} {cost.wall:.2f} s, {cost.cpu:.2f} cpu s")

    def _build(self, contestant, size, scene):
        """Bring a contestant's project into the state of a scene, build it, check it; return the cost."""
        project, constants = self.folder / f"{contestant}-{size}", list(range(1, size + 1))
        if scene == "cold":
            shutil.rmtree(project, ignore_errors=True)
        if scene == "changed":
            constants[size // 2] = size + 1
        write(project, files("weaver" if contestant == BEFORE else contestant, constants))
        environment = self.environment | ({"PYTHONPATH": str(self.before)} if contestant == BEFORE else {})
        try:
            cost, said = measure([PYTHON, "-m", "mkdocs", "build"], project, environment)
            if lack := shortcoming(project / "site", constants):
                raise Failed(f"did not do the work: {lack}. It said:\n{said}")
        except Failed as failed:
            raise Failed(f"{contestant}, N={size}, {scene}: the build {failed}") from None
        return cost


def write(folder: Path, texts: dict[str, str]) -> None:
    """Write the files that are not there or hold something else."""
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def machine() -> dict:
    """Return what the figures depend on: processor, cores, Python, and the pinned packages."""
    model = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    pins = re.findall(r"^([\w.-]+)==(\S+)", (HERE / "requirements.txt").read_text(encoding="utf-8"), re.M)
    return {
        "processor": model[1] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "packages": dict(pins),
    }


def say(text: str) -> None:
    """Tell the one who waits how far it is."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Measure, print the tables, write the results."""
    asked = arguments()
    try:
        prepare()
        if os.getloadavg()[0] > 0.5:
            say("The machine has other work to do: the figures will be noisy.")
        with tempfile.TemporaryDirectory(prefix="benchmark-", ignore_cleanup_errors=True) as folder:
            folder, contestants = Path(folder).resolve(), [*ALWAYS, *asked.peers]
            before = earlier(asked.before, folder) if asked.before else None
            contestants += [BEFORE] if before else []
            benchmark = Benchmark(folder, contestants, asked.sizes, before)
            benchmark.warm_up()
            for number in range(1, asked.rounds + 1):
                benchmark.round(number)
    except Failed as failed:
        sys.exit(str(failed))
    except KeyboardInterrupt:
        sys.exit("Stopped; nothing was written.")
    results = Results(benchmark.measurements)
    print(results.tables())
    data = {"machine": machine(), "ratios": results.ratios(), "measurements": results.measurements}
    (HERE / "results.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    (HERE / "results.svg").write_text(svg(results), encoding="utf-8")


if __name__ == "__main__":
    main()
