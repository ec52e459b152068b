"""The site as a zip, unpacked and opened from the disk."""

import sys
import zipfile
from subprocess import run

import pytest
from support.project import LANGUAGES, ROOT, hear
from support.shared import once


def zipped(path):
    made = run([sys.executable, "-m", "weaver", "offline", path], cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr


@pytest.fixture(scope="module")
def archive():
    return once("site.zip", zipped)


@pytest.fixture(scope="module")
def unpacked(archive, tmp_path_factory):
    folder = tmp_path_factory.mktemp("offline")
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder)
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_trace_opens_and_is_stepped_through_from_a_file(unpacked, browser, language):
    page, wrong = browser.new_page(), []
    hear(page, "file:", wrong)
    page.goto((unpacked / language / "detach.html").as_uri())
    page.locator("figcaption [data-trace]").first.click()
    page.locator(".wt input").first.focus()
    page.keyboard.press("End")
    now, last = page.locator(".wt-bar output").first.inner_text().split(" / ")
    assert now == last and page.locator(".wt-sentence").first.inner_text()
    page.close()
    assert wrong == []


@pytest.mark.every_page
def test_two_zips_are_the_same_bytes(archive, tmp_path):
    zipped(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()


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


def test_a_variant_is_chosen_from_a_file(unpacked, browser):
    page = browser.new_page()
    page.goto((unpacked / "en/detach.html").as_uri())
    section = page.locator("section.what-if").first
    before = section.locator("code").first.text_content()
    section.locator(".offer label").nth(1).click()
    page.wait_for_function("() => document.querySelector('.what-if .offers .differs')")
    assert section.locator("code").first.text_content() != before
    page.close()
