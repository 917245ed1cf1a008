"""A link to a chapter that opens a fresh server: the chapter, under the app's own navigation."""

from playwright.sync_api import expect

from tests.browser.conftest import ROOT, streamlit


def test_a_deep_link_on_a_fresh_server_shows_the_chapter_under_the_navigation(page):
    with streamlit(ROOT / "app.py") as url:
        page.goto(f"{url}/glossary?pair=mini-good")
        expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")  # a page is called as the navigation calls it
        expect(page).to_have_title("Glossary · The Expediter")
        expect(page.get_by_role("link", name="Loading dock")).to_be_visible()
        expect(page.get_by_text("loading dock", exact=True)).to_have_count(0)  # the file of that name is listed nowhere
        assert "pair=mini-good" in page.url
