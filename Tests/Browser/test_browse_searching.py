"""`modelstore browse` in a real browser: words, predicates with completion, downloads and SQL."""

import json

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import desktop_window


@pytest.fixture
def window(looking, first_browser):
    yield from desktop_window(first_browser, looking)


def test_a_word_searches_all_entities_and_one(window):
    window.open()
    window.find(".find input").send_keys("roasted", Keys.ENTER)
    window.shows("Search")
    window.named(".hits h2 a", "Recipe").click()
    window.wait(lambda: window.path.endswith("rows/Recipe?where=roasted"), "the rows that have it")
    assert all("Roasted" in name for name in window.names("td[data-label=title]"))


def test_names_and_operators_are_completed_by_keyboard(window):
    window.open("rows/Recipe")
    field = window.find("input[name=where]")
    assert field.get_attribute("role") == "combobox"
    field.send_keys("minu")
    window.wait(lambda: window.names(".options [role=option] bdi") == ["minutes"], "the property")
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert field.get_attribute("value") == "minutes "
    field.send_keys(">")
    window.wait(lambda: window.names(".options [role=option] bdi") == [">", ">="], "operators")
    field.send_keys(Keys.ESCAPE)
    window.wait(lambda: field.get_attribute("aria-expanded") == "false", "no list")
    field.send_keys(" 60 AND author.na")
    window.wait(lambda: "author.name" in window.names(".options [role=option] bdi"), "a property over a relationship")
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER, "beg", )
    window.wait(lambda: window.names(".options [role=option] bdi") == ["BEGINSWITH[cd]"], "an operator of texts")
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER, "ada")
    assert field.get_attribute("value") == "minutes > 60 AND author.name BEGINSWITH[cd] 'ada'"
    field.send_keys(Keys.ENTER)
    window.wait(lambda: "where=" in window.path, "the filter")
    assert window.visible(".problem-line") is None


def test_a_mistake_keeps_the_rows_in_sight(window):
    window.open("rows/Recipe?where=minutes+%3E%3E+3")
    assert window.find(".problem-line .caret").text.endswith("^")
    assert "grayscale" in window.find(".stale").value_of_css_property("filter")
    # Greyed rows can be read, not pressed.
    assert window.browser.execute_script("return document.querySelector('.stale').inert")
    window.named(".problem-line a", "Search for this text").click()
    window.shows("No row matches")


def test_columns_and_pages_are_chosen(window):
    window.open("rows/Recipe")
    window.click(".menu summary")
    for box in window.browser.find_elements(By.CSS_SELECTOR, ".menu [name=column]"):
        if box.get_attribute("value") not in ("title", "minutes"):
            box.click()
    window.browser.find_element(By.CSS_SELECTOR, ".menu select option:first-child").click()
    window.named(".menu button", "Show").click()
    window.shows("1–20 of 480")
    assert [name.split()[0] for name in window.names("thead th")[2:]] == ["title", "minutes"]


def test_a_listing_is_downloaded(looking, window):
    window.open("rows/Recipe?where=minutes+%3E+60&sort=-minutes")
    link = window.named(".tools a", "JSON").get_attribute("href")
    status, text = looking.request("GET", link[link.index(f"/{looking.token}"):])
    rows = json.loads(text)
    assert status == 200 and len(rows) == looking.json("rows/Recipe.json?where=minutes+%3E+60&size=1")["total"]
    assert [row["minutes"] for row in rows] == sorted((row["minutes"] for row in rows), reverse=True)


def test_sql_is_run_from_the_keyboard(window):
    window.open("sql")
    window.find("#statement").send_keys("SELECT count(*) AS recipes FROM ZRECIPE", Keys.CONTROL, Keys.ENTER)
    window.wait(lambda: window.visible(".tall td") and window.find(".tall td").text == "480", "the number")
