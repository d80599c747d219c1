"""axe-core finds nothing on any page of `modelstore browse`: light and dark, on a desktop and on a phone."""

import sqlite3

import pytest

from accessibility import violations
from conftest import finish
from windows import Window

READING = {
    "entities": "entities", "rows": "rows/Recipe", "rows-of-lines": "rows/Line?size=20", "words": "rows/Recipe?where=soup",
    "no-row": "rows/Recipe?where=nothing+like+it", "mistake": "rows/Recipe?where=minutes+%3E%3E+3",
    "columns": "rows/Recipe?column=title&column=minutes&size=20", "object": "object/Recipe/p1", "model": "model",
    "history": "history", "transaction": "history/2", "plan": "plan?object=Cookbook%2Fp1",
    "refused": "plan?object=Cookbook%2Fp2", "nothing-chosen": "plan", "kept": "kept", "work": "work", "search": "search",
    "found": "search?text=roasted", "sql": "sql", "sql-result": "sql?statement=SELECT+*+FROM+ZRECIPE+LIMIT+30",
    "sql-mistake": "sql?statement=SELECT+*%0AFROM+nowhere", "problem": "rows/Nothing", "no-page": "nowhere",
}

sizes = pytest.mark.parametrize("is_phone", [False, True], ids=["desktop", "phone"])
colours = pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])


def window_of(app, browser, is_phone, is_dark):
    window = Window(browser, app)
    window.be_phone() if is_phone else window.be_desktop(1440, 900)
    window.be_dark(is_dark)
    return window


def check(window, name, screenshots, is_phone, is_dark):
    window.find("h1")
    window.still()
    window.screenshot(
        screenshots / f"browse-axe-{name}-{'phone' if is_phone else 'desktop'}-{'dark' if is_dark else 'light'}.png")
    assert violations(window) == [], name
    assert window.overflow() <= 0, name


@sizes
@colours
def test_pages_to_read(looking, first_browser, screenshots, is_phone, is_dark):
    window = window_of(looking, first_browser, is_phone, is_dark)
    for name, path in READING.items():
        window.open(path)
        check(window, name, screenshots, is_phone, is_dark)
    window.open("rows/Recipe")
    window.click(".help summary")
    window.click(".menu summary")
    check(window, "menus", screenshots, is_phone, is_dark)
    # Without the token.
    window.browser.get(f"http://127.0.0.1:{looking.port}/")
    check(window, "stranger", screenshots, is_phone, is_dark)
    finish(window)


@sizes
@colours
def test_pages_to_write(writing, first_browser, screenshots, is_phone, is_dark):
    window = window_of(writing, first_browser, is_phone, is_dark)

    def shows(name):
        check(window, name, screenshots, is_phone, is_dark)

    for name, path in {"writable": "object/Recipe/p1", "edit": "object/Recipe/p1/edit", "edit-lines": "object/Line/p1/edit",
                       "edit-one": "object/Recipe/p1/edit?only=title", "plan-to-confirm": "plan?object=Recipe%2Fp2"}.items():
        window.open(path)
        shows(name)
    window.open("object/Recipe/p1")
    window.click("[data-in-place]")
    window.find(".editing form")
    shows("in-place")
    window.open("object/Recipe/p1/edit?only=minutes")
    field = window.find("[name='value:minutes']")
    field.clear()
    field.send_keys("many")
    window.click(".edit .primary")
    window.shows("takes a whole number")
    shows("edit-refused")
    field = window.find("[name='value:minutes']")
    field.clear()
    field.send_keys("77")
    window.click(".edit .primary")
    window.find("[data-action=save]")
    shows("review")
    with sqlite3.connect(writing.store) as other:
        other.execute("UPDATE ZRECIPE SET Z_OPT = Z_OPT + 1, ZMINUTES = 5 WHERE Z_PK = 1")
    other.close()
    window.browser.refresh()
    window.shows("Changed meanwhile")
    shows("conflict")
    window.named("button", "Apply yours").click()
    window.click("[data-action=save]")
    window.find(".work-bar [data-action=undo]")
    shows("saved")
    window.open("work")
    shows("work-saved")
    window.click("[data-action=undo]")
    window.shows("Undid the change")
    window.open("work")
    shows("work-undone")
    window.open("plan?object=Recipe%2Fp2")
    window.click("[data-action=delete]")
    window.find("section.work.deleted")
    shows("deleted")
    window.open("kept")
    window.click(".second summary")
    shows("kept-deletes")
    window.open("plan?entity=Line")
    window.click("[data-action=delete]")
    window.click("[data-action=stop]")
    window.find("section.work.stopped")
    shows("stopped")
    window.open("entities")
    window.find(".work-bar [data-action=resume]")
    shows("stopped-bar")
    finish(window)
