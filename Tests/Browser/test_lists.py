"""Finding an animal in a list: search, arrow keys, and what the hint below it says."""

import re
import urllib.parse

import pytest

from test_bad_input import category_key, category_path
from windows import KEYS


def search(window, text):
    field = window.find("#search")
    field.clear()
    field.send_keys(text)


def test_a_search_lists_what_contains_the_text_while_it_is_typed(window):
    window.open("animals")
    search(window, "OW")
    window.lists("Barn owl", "Clownfish", "Sparrow")
    window.shows("3 matches")
    window.press("L")
    window.lists("Barn owl")
    window.shows("1 match")
    assert window.browser.execute_script("return document.activeElement.id") == "search", "Typing is not disturbed."
    assert window.find("#search").get_attribute("value") == "OWL"
    assert window.path == "/animals?q=OWL"
    window.click("#end-search")
    window.wait(lambda: len(window.names()) == 14, "all animals")


def test_accents_and_case_do_not_matter(app):
    bird = category_key(app, "Bird")
    assert app.request("POST", "/animals/new", {"name": "Kākāpō", "diet": "Herbivore", "category": bird})[0] == 303
    for text in ("kakapo", "KĀKĀ", "kākāpō"):
        assert listed(app, f"/animals?q={urllib.parse.quote(text)}") == ["Kākāpō"], text


def listed(app, path):
    return re.findall(r'class="row-name">([^<]*)<', app.request("GET", path)[1])


def test_a_search_stays_within_its_category_until_it_is_widened(window):
    window.open()
    window.choose_category("Bird")
    search(window, "fish")
    window.shows("No name contains “fish”.")
    window.click("#search-everywhere")
    window.lists("Clownfish")
    assert window.find("#search").get_attribute("value") == "fish"


def test_a_search_stays_while_its_animals_are_looked_at_and_deleted(window):
    window.open("animals")
    search(window, "ow")
    window.lists("Barn owl", "Clownfish", "Sparrow")
    window.choose("Clownfish")
    window.lists("Barn owl", "Clownfish", "Sparrow")
    window.swipe_by_mouse("Sparrow", 280)
    window.lists("Barn owl", "Clownfish")
    assert window.heading == "Clownfish"
    window.click("#delete")
    window.confirm()
    window.lists("Barn owl")
    window.undo()
    window.lists("Barn owl", "Clownfish")


def test_a_search_beside_an_open_form_keeps_what_was_typed(window):
    window.open_animal("Mammal", "Dog")
    window.click("#edit")
    window.fill("Wolfhound")
    search(window, "c")
    window.lists("Cat")
    assert window.find("#name").get_attribute("value") == "Wolfhound"
    window.submit()
    window.selects("Wolfhound")


def test_another_window_follows_within_its_search(window, other_window):
    other_window.open("animals?q=o")
    before = other_window.names()
    window.open("animals")
    window.swipe_by_mouse("Octopus", 280)
    other_window.lists(*[name for name in before if name != "Octopus"])


def test_a_search_ends_when_its_category_is_deleted_elsewhere(window, app):
    window.open()
    window.choose_category("Bird")
    search(window, "owl")
    window.lists("Barn owl")
    assert app.request("POST", f"{category_path(app, 'Bird')}/delete", {})[0] == 303
    window.wait(lambda: len(window.names()) == 12, "all other animals")
    assert window.path == "/" and window.find("#search").get_attribute("value") == ""


def test_a_search_without_the_script(app):
    page = app.request("GET", "/animals?q=owl")[1]
    assert listed(app, "/animals?q=owl") == ["Barn owl"] and "1 match" in page
    assert 'method="get" action="/animals"' in page and 'name="q" value="owl"' in page
    place = category_path(app, "Bird")
    assert listed(app, f"{place}?q=spar+row") == []
    assert listed(app, f"{place}?q=SPAR") == ["Sparrow"]
    assert listed(app, "/animals?q=+barn+") == ["Barn owl"], "Spaces around the text do not count."
    assert len(listed(app, "/animals?q=")) == 14


@pytest.mark.parametrize("text", ["%", "_", "*", "'", "\"", "\\", "<b>", "{{q}}", "x" * 5_000])
def test_whatever_is_searched_for_is_text(app, text):
    path = f"/animals?q={urllib.parse.quote(text)}"
    status, page, _ = app.request("GET", path)
    assert status == 200 and "0 matches" in page and "<b>" not in page and listed(app, path) == []


@pytest.mark.parametrize("query", ["q=%", "q=%ff", "q=%00", "q", "q=+", "=&q", "q=" + "e%CC%81" * 2_000])
def test_a_search_that_cannot_be_read(app, query):
    assert app.request("GET", f"/animals?{query}")[0] == 200


def test_a_long_list_is_searched_in_pages(window):
    window.open()
    window.load_big_sample()
    window.open("animals?page=3")
    search(window, "spider")
    window.wait(lambda: "1–100 of" in window.text and "matches" in window.text, "the first page of the search")
    first = window.names()
    window.click("#next-page")
    window.shows("101–")
    second = window.names()
    assert not set(first) & set(second)
    assert all("spider" in name.lower() for name in first + second)
    window.open("animals?q=spider&page=99")
    assert "spider" in window.names()[-1].lower() and not window.visible("#next-page"), "The last page."


# Keys

def focused(window):
    return window.browser.execute_script(
        "return document.activeElement.querySelector('.row-name, .category-name')?.textContent ?? document.activeElement.id")


def test_arrow_keys_move_in_the_list_of_animals(window):
    window.open()
    window.choose_category("Mammal")
    window.find("#search").click()
    for key, expected in ((KEYS.ARROW_DOWN, "Cat"), (KEYS.ARROW_DOWN, "Dog"), (KEYS.END, "Kangaroo"),
                          (KEYS.ARROW_DOWN, "Kangaroo"), (KEYS.ARROW_UP, "Gibbon"), (KEYS.HOME, "Cat"),
                          (KEYS.ARROW_UP, "search"), (KEYS.ARROW_DOWN, "Cat"), (KEYS.ARROW_DOWN, "Dog")):
        window.press(key)
        assert focused(window) == expected, key
    window.press(KEYS.DELETE)
    window.lists("Cat", "Gibbon", "Kangaroo")
    assert focused(window) == "Gibbon", "The next row has the focus."
    window.press(KEYS.ENTER)
    window.selects("Gibbon")


def test_arrow_keys_move_in_the_list_of_categories(window):
    window.open()
    window.browser.execute_script("document.querySelector('.category').focus()")
    for key, expected in ((KEYS.ARROW_DOWN, "Amphibian"), (KEYS.ARROW_DOWN, "Bird"), (KEYS.END, "Reptile"),
                          (KEYS.HOME, "All animals"), (KEYS.ARROW_UP, "All animals")):
        window.press(key)
        assert focused(window) == expected, key
    window.press(KEYS.ARROW_DOWN, KEYS.ENTER)
    window.wait(lambda: window.visible(".list-title").text == "Amphibian", "the list")


def hint(window):
    return window.find(".hint").text


def test_the_hint_is_about_what_can_be_done_here(window):
    window.open("animals")
    assert "arrow keys" in hint(window) and "Swipe" not in window.text
    window.be_phone()
    window.open("animals")
    assert hint(window) == "Swipe a row to the left to delete it."
    assert "arrow keys" not in window.text
