"""The site as a zip, unpacked and opened from the disk."""

import sys
import zipfile
from subprocess import run

import pytest
from support.project import ROOT


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("offline")
    made = run(
        [sys.executable, "-m", "weaver", "offline", folder / "site.zip"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    with zipfile.ZipFile(folder / "site.zip") as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_two_zips_are_the_same_bytes(unpacked):
    again = unpacked.parent / "again.zip"
    run([sys.executable, "-m", "weaver", "offline", again], cwd=ROOT, check=True, capture_output=True)
    assert again.read_bytes() == (unpacked.parent / "site.zip").read_bytes()


def test_the_gate_the_language_switch_and_the_search_work_from_a_file(unpacked, browser):
    context = browser.new_context(locale="ko-KR")
    page = context.new_page()
    asked = []
    page.on("request", lambda request: request.url.startswith("file:") or asked.append(request.url))
    page.goto((unpacked / "index.html").as_uri())
    page.wait_for_url("**/ko/index.html")
    page.goto((unpacked / "ko/detach.html").as_uri())
    assert "detach" in page.locator("h1").inner_text()
    page.locator("input[name=query]").click()
    page.keyboard.insert_text("잎텐서")
    page.wait_for_selector(".md-search-result__link")
    assert "leaf.html" in " ".join(
        link.get_attribute("href") for link in page.locator(".md-search-result__link").all()[:5]
    )
    page.keyboard.press("Escape")
    page.goto((unpacked / "ko/detach.html").as_uri())
    other = page.locator("a.md-select__link[hreflang=en]").get_attribute("href")
    page.goto((unpacked / "ko" / other).resolve().as_uri())
    assert page.url.endswith("/en/detach.html") and page.locator("html").get_attribute("lang") == "en"
    assert [url for url in asked if not url.startswith(("blob:", "data:"))] == []
    context.close()
