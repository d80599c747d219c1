"""The rows of a delete are shown before it happens."""

import pytest

from test_bad_input import animal_path, category_path
from test_security import HOSTILE_NAMES


def test_a_category_shows_the_animals_that_go_with_it(window):
    window.open()
    window.choose_category("Mammal")
    window.click("#delete-category")
    assert window.preview() == [
        ["1 category", "Mammal", ""],
        ["4 animals", "Dog, Cat, Kangaroo, Gibbon", "cascade AnimalCategory.animals"]]
    window.click("dialog[open] [data-cancel]")
    window.lists("Cat", "Dog", "Gibbon", "Kangaroo")


def test_an_animal_shows_what_loses_its_link(window):
    window.open_animal("Fish", "Pike")
    window.click("#delete")
    assert window.preview() == [
        ["1 animal", "Pike", ""],
        ["1 category stays, without the link", "Fish", "nullify AnimalCategory.animals"]]


def test_an_empty_category_goes_alone(window):
    window.open()
    window.click("#add-category")
    window.fill("Arachnid")
    window.submit()
    window.is_saved()
    window.click("#delete-category")
    assert window.preview() == [["1 category", "Arachnid", ""]]
    assert "The category is empty." in window.find("dialog[open]").text


def test_all_that_a_reload_and_delete_all_take(window):
    window.open()
    for button in ("#reload", "#delete-all"):
        window.click(button)
        assert [row[0] for row in window.preview()] == ["6 categories", "14 animals"]
        window.click("dialog[open] [data-cancel]")


def test_animals_that_were_never_saved_are_counted_apart(window):
    window.open()
    window.set_autosave(False)
    window.choose_category("Bird")
    window.click("#add-animal")
    window.fill("Wren", diet="Carnivore")
    window.submit()
    window.selects("Wren")
    window.click("#delete-category")
    assert [row[0] for row in window.preview()] == ["1 category", "2 animals", "1 animal, never saved"]
    assert "It is not final until you save." in window.find("dialog[open]").text


def test_the_preview_is_there_without_the_script(app):
    _, page, _ = app.request("GET", f"{category_path(app, 'Mammal')}/delete")
    assert '<span class="preview-count">4</span> animals' in page and "Dog, Cat, Kangaroo, Gibbon" in page
    _, page, _ = app.request("GET", f"{animal_path(app, 'Dog')}/delete")
    assert "stays, without the link" in page and "You can undo this for an hour." in page


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_in_a_preview_stay_text(window, name):
    window.open()
    window.click("#add-category")
    window.fill("")
    window.browser.execute_script("document.querySelector('input[name=name]').value = arguments[0]", name)
    window.submit()
    window.wait(lambda: name in window.names(".category-name"), "the category")
    window.is_saved()
    window.click("#delete-category")
    assert window.preview()[0] == ["1 category", name, ""]
    assert window.browser.title != "taken"
