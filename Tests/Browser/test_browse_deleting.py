"""`modelstore browse --write` in a real browser: a delete is confirmed, watched, stopped, and restored."""

import sqlite3

import pytest
from selenium.webdriver.common.by import By

from browse_app import BrowseApp
from conftest import desktop_window


@pytest.fixture
def window(writing, first_browser):
    yield from desktop_window(first_browser, writing)


def phase(window):
    return window.browser.execute_script("return document.querySelector('section[data-work]')?.dataset.work ?? null")


def becomes(window, *phases):
    window.wait(lambda: phase(window) in phases, f"phase {phase(window)} instead of {phases}")


def test_a_small_delete_and_its_undo(writing, window):
    before = (writing.rows("Recipe"), writing.rows("Step"))
    window.open("plan?object=Recipe%2Fp1")
    assert writing.files == ["Recipes.store"], "Looking alone left something behind."
    window.find("[data-action=delete]").click()
    becomes(window, "deleted")
    assert writing.rows("Recipe") == before[0] - 1 and writing.rows("Step") < before[1]
    assert len([name for name in writing.files if "-backup-" in name]) == 1
    # Loading the page again does nothing again.
    window.browser.refresh()
    becomes(window, "deleted")
    window.find("[data-action=undo]").click()
    becomes(window, "restored")
    assert (writing.rows("Recipe"), writing.rows("Step")) == before


def test_a_long_delete_is_watched_stopped_resumed_and_undone(writing, window, screenshots):
    before = {name: writing.rows(name) for name in ("Recipe", "Step", "Line", "ShoppingItem")}
    window.open("plan?entity=Recipe&where=menus.%40count%20%3D%3D%200")
    window.find("[data-action=delete]").click()
    window.wait(lambda: window.browser.execute_script(
        "return document.querySelector('.deleting progress')?.value ?? 0") > 0.1, "the first rows gone")
    assert "deleted" in window.text
    # Pushed by the server, not polled.
    asked = window.browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert not [name for name in asked if name.endswith("work.json")], asked
    window.screenshot(screenshots / "browse-progress-desktop-light.png")
    window.click("[data-action=stop]")
    becomes(window, "stopped")
    assert 0 < sum(writing.rows(name) for name in before) < sum(before.values())
    window.screenshot(screenshots / "browse-stopped-desktop-light.png")
    window.find("[data-action=resume]").click()
    becomes(window, "deleted")
    assert writing.rows("Recipe") == 3 and writing.rows("ShoppingItem") == before["ShoppingItem"]
    window.find("[data-action=undo]").click()
    becomes(window, "restored")
    assert {name: writing.rows(name) for name in before} == before
    window.screenshot(screenshots / "browse-undone-desktop-light.png")
    window.be_phone()
    window.be_dark()
    window.screenshot(screenshots / "browse-undone-phone-dark.png")


def test_a_file_in_use_is_tried_again(writing, window, screenshots):
    other = sqlite3.connect(writing.store)
    other.execute("SELECT count(*) FROM Z_PRIMARYKEY").fetchone()
    window.open("plan?object=Recipe%2Fp1")
    window.find("[data-action=delete]").click()
    becomes(window, "failed")
    window.shows("Another process has")
    window.screenshot(screenshots / "browse-in-use-desktop-light.png")
    window.be_phone()
    window.be_dark()
    assert window.overflow() == 0
    window.screenshot(screenshots / "browse-in-use-phone-dark.png")
    other.close()
    window.click("[data-action=delete]")
    becomes(window, "deleted")


def test_a_stopped_delete_is_left_as_it_is(writing, window, screenshots):
    window.open("plan?entity=Line")
    window.find("[data-action=delete]").click()
    window.wait(lambda: phase(window) == "deleting", "the work")
    window.click("[data-action=stop]")
    becomes(window, "stopped")
    left = writing.rows("Line")
    window.named("button", "Keep as is").click()
    becomes(window, "dropped")
    window.screenshot(screenshots / "browse-left-desktop-light.png")
    window.named("button", "Done").click()
    window.wait(lambda: window.path.endswith("/entities"), "the entities")
    assert writing.rows("Line") == left > 0


def test_numbers_of_rows_come_to_pages_that_do_not_wait_for_them(writing, window):
    def count():
        return window.find("nav.entities [data-entity=Recipe]").text

    window.open("rows/Cookbook")
    window.wait(lambda: count() == "480", "the number of recipes")
    with sqlite3.connect(writing.store) as other:
        other.execute("DELETE FROM ZRECIPE WHERE Z_PK = 1")
    other.close()
    window.open("rows/Cookbook")
    window.wait(lambda: count() == "479", "the new number of recipes")


def test_other_pages_tell_of_the_work(writing, window):
    window.open("plan?entity=Line")
    window.find("[data-action=delete]").click()
    window.wait(lambda: phase(window) in ("copying", "deleting"), "the work")
    window.open("entities")
    window.wait(lambda: window.browser.execute_script(
        "return document.querySelector('.work-bar')?.dataset.work") == "deleted", "the end of the work")
    window.open("kept")
    window.shows("Restore")


def test_what_was_kept_is_given_up_with_a_second_press(writing, window, screenshots):
    window.open("plan?object=Recipe%2Fp1")
    window.find("[data-action=delete]").click()
    becomes(window, "deleted")
    window.open("kept")
    assert window.visible("[data-action=forget]") is None
    window.find(".second summary").click()
    window.find("[data-action=forget]")
    window.screenshot(screenshots / "browse-forget-desktop-light.png")
    window.be_phone()
    window.be_dark()
    assert window.overflow() == 0
    window.screenshot(screenshots / "browse-forget-phone-dark.png")
    window.click("[data-action=forget]")
    becomes(window, "forgotten")
    window.open("kept")
    window.shows("None.")
    assert writing.json("kept.json")["deletes"] == []


def test_the_end_of_the_program_is_told(writing, window):
    window.open("plan?entity=Line")
    window.find("[data-action=delete]").click()
    window.wait(lambda: phase(window) == "deleting", "the work")
    writing.stop()
    window.shows("has ended")
    assert window.find("h1").text == "Not connected" and window.browser.title.startswith("Not connected")
    assert not window.find("[data-action=stop]").is_enabled()


@pytest.fixture
def slow(modelstore_built, tmp_path):
    """With steps so small that there is time to open tabs."""
    app = BrowseApp(tmp_path, "--write", "--step", "10")
    yield app
    app.stop()


@pytest.fixture
def watching(slow, first_browser):
    yield from desktop_window(first_browser, slow)


def test_stop_is_heard_however_many_tabs_watch(slow, watching):
    window = watching
    window.open("plan?entity=Line")
    window.find("[data-action=delete]").click()
    window.wait(lambda: phase(window) == "deleting", "the work")
    # A browser has six connections to one place; every tab that watches would keep one.
    for _ in range(7):
        window.browser.switch_to.new_window("tab")
        window.open("work")
        if phase(window) != "deleting":
            pytest.skip("The delete was done before all tabs were open.")
    window.click("[data-action=stop]")
    becomes(window, "stopped")
    assert slow.rows("Line") > 0
    # Those that were not looked at find out when they are.
    for handle in window.browser.window_handles:
        window.browser.switch_to.window(handle)
        becomes(window, "stopped")
        if handle != window.handle:
            window.browser.close()
    window.browser.switch_to.window(window.handle)


def test_back_after_a_delete_shows_what_is_so_now(writing, window):
    window.open("rows/Recipe")
    window.browser.find_elements(By.CSS_SELECTOR, "input[name=object]")[1].click()
    window.click(".selection button")
    window.shows("by cascade")
    window.browser.back()
    window.wait(lambda: window.find("[data-selected]").text == "1 row", "the row that was chosen")
    window.click(".selection button")
    window.shows("by cascade")
    window.find("[data-action=delete]").click()
    becomes(window, "deleted")
    window.browser.back()
    window.shows("Nothing matches; nothing would be deleted.")
    window.browser.back()
    window.wait(lambda: "Recipe/p2" not in [box.get_attribute("value") for box in window.browser.find_elements(
        By.CSS_SELECTOR, "input[name=object]")], "a list without what is gone")


def test_a_store_that_moved_leads_back_to_its_plan(writing, window, screenshots):
    window.open("plan?object=Recipe%2Fp1")
    with sqlite3.connect(writing.store) as other:
        other.execute("DELETE FROM ZSTEP WHERE ZRECIPE = 1")
    other.close()
    window.find("[data-action=delete]").click()
    becomes(window, "failed")
    window.screenshot(screenshots / "browse-moved-desktop-light.png")
    window.named("a.button", "Make the plan again").click()
    window.find("[data-action=delete]").click()
    becomes(window, "deleted")


def test_a_page_elsewhere_cannot_delete(writing):
    before = writing.rows("Line")
    plan = writing.json("plan.json?entity=Line")["plan"]
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    own = f"http://127.0.0.1:{writing.port}"
    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"},
                    {"Origin": own, "Sec-Fetch-Site": "cross-site"}, {"Origin": own, "Host": "evil.example"}):
        status, _ = writing.request("POST", f"/{writing.token}/do/delete", {**form, **headers}, f"plan={plan}")
        assert status in (403, 421), headers
    status, _ = writing.request("POST", f"/{'0' * 32}/do/delete", {**form, "Origin": own}, f"plan={plan}")
    assert status == 403
    assert writing.rows("Line") == before
