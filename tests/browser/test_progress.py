"""What a reader has read and answered is remembered, by this browser alone."""

import json
import shutil

import pytest
from support.project import LANGUAGES, ROOT, Quiet, hear, mkdocs, scripts, serving, write_files

JS = scripts(__file__)
CONFIG = f"""
site_name: Test
site_url: http://localhost/
theme: {{name: material, font: false, custom_dir: {ROOT}/theme, features: [navigation.sections]}}
plugins:
  - search
  - weaver:
      policy: true
      words: {ROOT}/words
      moved: {{MOVED}}
      languages: {{ko: {{name: 한국어}}, en: {{name: English}}}}
nav: [index.md, way.md, one: [first.md, NAME.md]]
markdown_extensions: [attr_list]
extra_css: [assets/site.css]
extra_javascript: [assets/site.js, assets/progress.js]
extra: {{scope: /}}
"""
LONG = "Text.\n\n" * 60
QUESTION = "{{ question NAME/it y }}\n- 4\n- 5\n\nWhy.\n{{ end }}\n\n"
TEXTS = {
    "index": "# Home { #home }\n",
    "way": "# Way { #way-through }\n\nText.\n\n## One { #one }\n\n{{ stage one }}\n",
    "first": f"# First {{ #first }}\n\n{LONG}## Middle {{ #middle }}\n\n{LONG}",
}


def build(folder, name, moved=""):
    """Build a site whose second page is called `name`, and return where it is."""
    config = CONFIG.replace("NAME", name).replace("MOVED", moved)
    pages = {**TEXTS, name: f"# Second {{ #second }}\n\n{QUESTION.replace('NAME', name)}"}
    write_files(
        folder,
        {
            "mkdocs.yml": config,
            f"snippets/{name}/it.py": "y = 3\n",
            "docs/index.md": "# Gate { #gate }\n",
            **{f"docs/{language}/{page}.md": text for language in LANGUAGES for page, text in pages.items()},
        },
    )
    done = mkdocs("build", "--strict", cwd=folder)
    assert done.returncode == 0, done.stdout
    return folder / "site"


class Fresh(Quiet):
    """Serves as the site is to be served: pages are asked for anew."""

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


@pytest.fixture(scope="module")
def versions(tmp_path_factory):
    """The site, and the site after its second page was renamed."""
    return (
        build(tmp_path_factory.mktemp("before"), "old"),
        build(tmp_path_factory.mktemp("after"), "new", "old.md: new.md"),
    )


@pytest.fixture
def served(versions, tmp_path):
    """Where the first version is served, and what puts the second in its place."""
    folder = tmp_path / "site"
    shutil.copytree(versions[0], folder)

    def renew():
        shutil.rmtree(folder)
        # as new files: both versions may be built within a second, and that is all that a browser compares
        shutil.copytree(versions[1], folder, copy_function=shutil.copyfile)

    with serving(folder, Fresh) as address:
        yield address, renew


@pytest.fixture
def reader(browser, served):
    """A reader's page; what it asks of others, and what goes wrong in it, is a failure."""
    wrong = []
    context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    page = context.new_page()
    page.clock.install()
    hear(page, served[0], wrong)
    yield page
    context.close()
    assert wrong == []


def read(page, address, to_the_end=True, seconds=11):
    page.goto(address)
    page.locator("h1").wait_for()
    if to_the_end:
        page.locator("aside.about").scroll_into_view_if_needed()
        page.wait_for_function("() => scrollY > 0 || document.documentElement.scrollHeight <= innerHeight")
        page.evaluate(JS.in_view, "aside.about")
    page.clock.run_for(seconds * 1000)


def kept(page):
    return json.loads(page.evaluate("localStorage.getItem('progress')") or "{}")


def marks(page):
    """Return the addresses that have a mark in the navigation, below the language's."""
    links = page.locator(".md-nav--primary a.md-nav__link:has(.done)")
    return sorted({one.split("/", 4)[4] for one in links.evaluate_all("all => all.map((one) => one.href)")})


def answer(page, right):
    page.locator(f"section.question input[data-right={str(right).lower()}]").first.click()


def test_a_page_is_read_when_its_end_was_seen_and_some_time_has_passed(reader, served):
    root = served[0]
    read(reader, f"{root}/en/first/", to_the_end=False)
    assert marks(reader) == []
    read(reader, f"{root}/en/first/", seconds=5)
    assert marks(reader) == []
    read(reader, f"{root}/en/first/")
    assert marks(reader) == ["first/"] and list(kept(reader)["read"]) == ["first"]
    assert reader.locator(".md-nav .done").first.get_attribute("aria-label") == "read"
    read(reader, f"{root}/en/")
    assert list(kept(reader)["read"]) == ["first"]  # the home page is in no stage


def test_only_the_first_choice_counts(reader, served):
    reader.goto(f"{served[0]}/en/old/")
    answer(reader, False)
    answer(reader, True)
    assert kept(reader).get("right", {}) == {}
    reader.goto(f"{served[0]}/en/old/")
    answer(reader, True)
    assert list(kept(reader)["right"]) == ["old/it"]


def learn(page, root):
    """Read the first page and answer on the second; the last place is the middle of the first."""
    page.goto(f"{root}/en/old/")
    answer(page, True)
    read(page, f"{root}/en/old/")
    read(page, f"{root}/en/first/")
    page.evaluate("document.getElementById('middle').scrollIntoView()")
    page.wait_for_function("() => document.getElementById('middle').getBoundingClientRect().top < 90")


def test_progress_survives_a_reload_and_a_change_of_language(reader, served):
    root = served[0]
    learn(reader, root)
    reader.goto(f"{root}/en/way/")
    said = "2 of 2 pages read, 1 of 1 questions right on the first try."
    for _ in range(2):
        assert reader.locator(".progress .counts").inner_text() == said
        assert marks(reader) == ["first/", "old/"]
        signs = reader.locator("article li .done").all_inner_texts()
        assert [sign.strip() for sign in signs] == ["✓", "✓ 1/1"]
        assert reader.locator(".go-on a").get_attribute("href").endswith("/en/first/#middle")
        assert reader.locator(".go-on a").inner_text() == "First"
        reader.reload()
    reader.goto(f"{root}/ko/way/")
    assert "2페이지 중 2페이지를 읽었고" in reader.locator(".progress .counts").inner_text()
    assert marks(reader) == ["first/", "old/"]
    reader.locator(".go-on a").click()
    reader.wait_for_url("**/ko/first/#middle")


def test_progress_survives_a_new_version_of_the_site_that_renamed_a_page(reader, served):
    root, renew = served
    learn(reader, root)
    reader.goto(f"{root}/en/old/")  # here the reader was last
    reader.goto(f"{root}/en/way/", wait_until="networkidle")  # its icon, too, is of the first version
    renew()
    reader.goto(f"{root}/en/way/")
    assert marks(reader) == ["first/", "new/"]
    assert reader.locator(".counts").inner_text().startswith("2 of 2 pages read, 1 of 1 questions")
    assert "/en/new/" in reader.locator(".go-on a").get_attribute("href")
    reader.goto(f"{root}/en/old/")
    reader.wait_for_url("**/en/new/")
    assert reader.locator(".md-nav__link--active .done").count() == 1


def test_progress_is_saved_as_a_file_and_forgotten_when_the_reader_says_so(reader, served):
    learn(reader, served[0])
    reader.goto(f"{served[0]}/en/way/")
    with reader.expect_download() as download:
        reader.locator(".progress .save").click()
    saved = json.loads(download.value.path().read_text())
    assert saved == kept(reader)
    assert set(saved["read"]) == {"first", "old"} and list(saved["right"]) == ["old/it"]
    reader.once("dialog", lambda dialog: dialog.dismiss())
    reader.locator(".progress .clear").click()
    assert kept(reader)["read"]
    reader.once("dialog", lambda dialog: dialog.accept())
    reader.locator(".progress .clear").click()
    assert kept(reader) == {} and marks(reader) == [] and reader.locator(".progress, .done").count() == 0


@pytest.mark.parametrize("junk", ["no json", "3", '{"read": 1, "right": ["x"], "last": null}'])
def test_what_is_not_ours_in_the_storage_does_no_harm(reader, served, junk):
    reader.goto(f"{served[0]}/en/way/")
    reader.evaluate("junk => localStorage.setItem('progress', junk)", junk)
    reader.reload()
    assert marks(reader) == [] and reader.locator(".progress").count() == 0
    read(reader, f"{served[0]}/en/first/")
    assert marks(reader) == ["first/"]


def test_nothing_is_marked_for_a_new_reader_or_without_javascript(browser, served, reader):
    reader.goto(f"{served[0]}/en/way/")
    assert reader.locator(".progress, .done").count() == 0
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served[0]}/en/way/")
    assert page.locator("article li a").all_inner_texts() == ["First", "Second"]
    assert page.locator(".progress:visible, .done, button.save").count() == 0
    context.close()
