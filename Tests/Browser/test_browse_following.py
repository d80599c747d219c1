"""`modelstore browse` shows what another process writes, without loading the whole page again."""

import contextlib
import sqlite3

import pytest

import browse_app
from conftest import desktop_window


@pytest.fixture
def app(modelstore_built, tmp_path):
    app = browse_app.BrowseApp(tmp_path)
    yield app
    app.stop()


@pytest.fixture
def window(app, first_browser):
    yield from desktop_window(first_browser, app)


def write(app, statement):
    """Writes as another program would that has the file open."""
    with contextlib.closing(sqlite3.connect(app.store)) as connection, connection:
        connection.execute(statement)


def count(window, entity):
    return window.find(f".rail [data-entity={entity}]").text


def mark(window):
    """Loading the page again would lose this mark; the first state is known once it is there."""
    window.browser.execute_script("window.isSamePage = true")
    window.wait(lambda: window.browser.execute_script("return shownState !== null"), "the state of the file")


def is_same(window):
    return window.browser.execute_script("return window.isSamePage === true")


def test_the_counts_of_the_entities_follow(app, window):
    window.open()
    window.wait(lambda: count(window, "Cookbook") == "12", "the count")
    mark(window)
    write(app, "DELETE FROM ZCOOKBOOK WHERE Z_PK = 12")
    window.wait(lambda: count(window, "Cookbook") == "11", "the count after the delete")
    window.wait(lambda: "11" in window.named(".entities-table tr", "Cookbook").text, "the count in the table")
    assert is_same(window)


def test_a_listing_follows_and_keeps_what_is_selected(app, window):
    window.open("rows/Cookbook")
    window.wait(lambda: len(window.names("tbody tr")) == 12, "the rows")
    mark(window)
    boxes = window.browser.find_elements("css selector", "input[name=object]")
    kept, gone = boxes[0].get_attribute("value"), boxes[5].get_attribute("value")
    boxes[0].click()
    write(app, f"DELETE FROM ZCOOKBOOK WHERE Z_PK = {gone.rsplit('p', 1)[1]}")
    window.wait(lambda: len(window.names("tbody tr")) == 11, "the rows that are left")
    window.shows("1 row selected")
    assert window.find(f"input[value='{kept}']").is_selected() and is_same(window)
