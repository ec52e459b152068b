"""What a phone gets: Lighthouse on pages of the built site, behind nginx with gzip, median of five.

Run `python benchmarks/lighthouse.py`. Needs nginx, chromium and npx (Debian: nginx-light, chromium,
npm). The weight is of everything that the page loads until it is quiet, and of the search worker and the
index, which it loads when the reader opens the search, apart.
"""

import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
LIGHTHOUSE = "lighthouse@13.5.0"
FLAGS = "--headless=new --no-sandbox --disable-gpu"
RUNS = 5
PAGES = (  # one of each kind; of the topics both languages and the largest
    "ko/",
    "en/",
    "ko/detach/",
    "en/detach/",
    "ko/errors-backward/",
    "ko/claims-backward/",
    "ko/labs/gan/",
    "ko/cheatsheet/",
    "ko/glossary/",
    "ko/path/",
    "ko/quiz/",
)
TIMES = {
    "FCP s": "first-contentful-paint",
    "LCP s": "largest-contentful-paint",
    "TBT ms": "total-blocking-time",
}


def main(pages):
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder, "site")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(site)]
        address = f"http://127.0.0.1:{port}/"
        subprocess.run(build, cwd=ROOT, check=True, env={**os.environ, "SITE_URL": address})
        config = (ROOT / "benchmarks/nginx.conf").read_text()
        Path(folder, "nginx.conf").write_text(config.replace("PORT", str(port)).replace("SITE", str(site)))
        os.chmod(folder, 0o755)
        server = subprocess.Popen(
            [
                "nginx",
                "-p",
                folder,
                "-c",
                str(Path(folder, "nginx.conf")),
                "-g",
                f"daemon off; pid {folder}/pid;",
            ]
        )
        try:
            time.sleep(1)
            head = ("page", "perf / a11y / practices / SEO", *TIMES, "CLS", "kB", "requests", "index kB")
            print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|")
            for page in pages:
                runs = [measure(f"{address}{page}", folder) for _ in range(RUNS)]
                print(row(page, runs, site), flush=True)
        finally:
            server.terminate()
            server.wait()


def measure(address, folder):
    """Return Lighthouse's report on one load of a page."""
    report = Path(folder, "report.json")
    command = ["npx", "--yes", LIGHTHOUSE, address, "--quiet", f"--chrome-flags={FLAGS}", "--output=json"]
    environment = {**os.environ, "CHROME_PATH": shutil.which("chromium") or shutil.which("google-chrome")}
    subprocess.run([*command, f"--output-path={report}"], check=True, env=environment)
    return json.loads(report.read_text())


def row(page, runs, site):
    scores = " / ".join(
        f"{100 * median(run['categories'][name]['score'] for run in runs):.0f}"
        for name in ("performance", "accessibility", "best-practices", "seo")
    )
    audits = {
        name: median(run["audits"][audit]["numericValue"] for run in runs) for name, audit in TIMES.items()
    }
    shift = median(run["audits"]["cumulative-layout-shift"]["numericValue"] for run in runs)
    requests = runs[0]["audits"]["network-requests"]["details"]["items"]
    weight = sum(request.get("transferSize", 0) for request in requests) / 1000
    index = (
        len(gzip.compress(Path(site, page.split("/")[0], "search/documents.json").read_bytes(), 9)) / 1000
    )
    return (
        f"| {page} | {scores} | {audits['FCP s'] / 1000:.2f} | {audits['LCP s'] / 1000:.2f} "
        f"| {audits['TBT ms']:.0f} | {shift:.3f} | {weight:.0f} | {len(requests)} | {index:.0f} |"
    )


if __name__ == "__main__":
    main(sys.argv[1:] or PAGES)
