"""Every way to delete: swipe, key, button, category with cascade, reload of the sample data."""

from selenium.webdriver.common.by import By

from windows import KEYS


def test_swipe_by_mouse_shows_the_button_and_deletes(window):
    window.open()
    window.choose_category("Mammal")
    window.swipe_by_mouse("Dog", 100)
    row = window.row("Dog")
    window.wait(lambda: "is-open" in row.get_attribute("class"), "open row")
    window.lists("Cat", "Dog", "Gibbon", "Kangaroo")
    assert window.heading is None, "The end of a drag must not follow the row's link."
    window.wait(lambda: row.find_element(By.CSS_SELECTOR, ".row-delete-button").click() or True, "Delete")
    window.lists("Cat", "Gibbon", "Kangaroo")
    window.says("“Dog” deleted.")


def test_swipe_by_mouse_all_the_way_deletes(window):
    window.open()
    window.choose_category("Mammal")
    window.swipe_by_mouse("Cat", 280)
    window.lists("Dog", "Gibbon", "Kangaroo")


def test_short_swipe_closes_again(window):
    window.open()
    window.choose_category("Mammal")
    window.swipe_by_mouse("Cat", 24)
    window.wait(lambda: "is-open" not in window.row("Cat").get_attribute("class"), "closed row")
    window.lists("Cat", "Dog", "Gibbon", "Kangaroo")
    assert window.heading is None


def test_swipe_by_touch_on_a_phone(phone):
    phone.open()
    phone.choose_category("Reptile")
    phone.swipe_by_touch("Chameleon", 120)
    row = phone.row("Chameleon")
    phone.wait(lambda: "is-open" in row.get_attribute("class"), "open row")
    phone.wait(lambda: row.find_element(By.CSS_SELECTOR, ".row-delete-button").click() or True, "Delete")
    phone.lists("Green iguana")


def test_scrolling_by_touch_does_not_swipe(phone):
    phone.open()
    phone.choose_category("Reptile")
    phone.swipe_by_touch("Chameleon", 30, down=120)
    assert "is-open" not in phone.row("Chameleon").get_attribute("class")
    phone.lists("Chameleon", "Green iguana")


def test_only_one_row_is_open(window):
    window.open()
    window.choose_category("Mammal")
    window.swipe_by_mouse("Dog", 100)
    window.swipe_by_mouse("Gibbon", 100)
    window.wait(lambda: len(window.browser.find_elements(By.CSS_SELECTOR, ".row.is-open")) == 1, "one open row")


def test_delete_key_on_a_row(window):
    window.open()
    window.choose_category("Bird")
    face = window.named(".row-face", "Sparrow")
    window.browser.execute_script("arguments[0].focus()", face)
    window.press(KEYS.DELETE)
    window.lists("Barn owl")


def test_tab_reaches_the_delete_button(window):
    window.open()
    window.choose_category("Bird")
    window.browser.execute_script("arguments[0].focus()", window.named(".row-face", "Barn owl"))
    window.press(KEYS.TAB)
    label = window.browser.execute_script("return document.activeElement.getAttribute('aria-label')")
    assert label == "Delete Barn owl"
    window.press(KEYS.ENTER)
    window.lists("Sparrow")


def test_deleting_the_selected_animal_deselects_it_first(window):
    """The window closes the animal before it asks for the deletion."""
    window.open_animal("Mammal", "Gibbon")
    window.browser.execute_script("""
        const send = window.fetch;
        window.atDeletion = null;
        window.fetch = (address, options) => {
            if (options?.method === 'POST') window.atDeletion = [
                document.body.dataset.selected, document.querySelector('.detail .nothing') !== null, location.pathname];
            return send(address, options);
        };""")
    window.swipe_by_mouse("Gibbon", 280)
    window.lists("Cat", "Dog", "Kangaroo")
    selected, shows_nothing, path = window.browser.execute_script("return window.atDeletion")
    assert selected == "" and shows_nothing and path.startswith("/categories/")
    window.selects_nothing()


def test_deleting_another_animal_keeps_the_selection(window):
    window.open_animal("Mammal", "Gibbon")
    window.swipe_by_mouse("Cat", 280)
    window.lists("Dog", "Gibbon", "Kangaroo")
    assert window.heading == "Gibbon"


def test_delete_in_the_detail_view_asks_first(window):
    window.open_animal("Mammal", "Kangaroo")
    window.click("#delete")
    assert "Delete “Kangaroo”?" in window.find("dialog[open]").text
    window.click("dialog[open] [data-cancel]")
    window.wait(lambda: window.visible("dialog[open]") is None, "closed dialog")
    window.lists("Cat", "Dog", "Gibbon", "Kangaroo")
    window.click("#delete")
    window.confirm()
    window.lists("Cat", "Dog", "Gibbon")
    window.selects_nothing()
    assert window.path.startswith("/categories/")


def test_delete_in_the_detail_view_on_a_phone_goes_back_to_the_list(phone):
    phone.open_animal("Fish", "Pike")
    phone.click("#delete")
    phone.confirm()
    phone.lists("Clownfish")
    assert phone.visible(".list-title").text == "Fish"


def test_deleting_a_category_takes_its_animals(window):
    window.open()
    window.choose_category("Mammal")
    window.click("#delete-category")
    assert "its 4 animals" in window.find("dialog[open]").text
    window.confirm()
    window.wait(lambda: "Mammal" not in window.names(".category-name"), "no Mammal")
    window.open("animals")
    assert len(window.names()) == 10
    assert not {"Cat", "Dog", "Gibbon", "Kangaroo"} & set(window.names())


def test_reload_sample_data(window, app):
    """`delete(model: AnimalCategory.self)` deletes all animals, also those the samples do not have."""
    window.open()
    window.choose_category("Bird")
    window.click("#add-animal")
    window.fill("Kingfisher", diet="Carnivore")
    window.submit()
    window.selects("Kingfisher")
    window.click("#add-category")
    window.fill("Arachnid")
    window.submit()
    window.wait(lambda: "Arachnid" in window.names(".category-name"), "Arachnid")
    window.open_animal("Mammal", "Dog")
    window.click("#reload")
    assert "This deletes every category with its animals" in window.find("dialog[open]").text
    window.confirm()
    window.says("Sample data reloaded.")
    window.wait(lambda: "Arachnid" not in window.names(".category-name"), "no Arachnid")
    window.selects_nothing()
    assert window.names(".category-count") == ["14", "2", "2", "2", "2", "4", "2"]
    window.is_saved()
    app.restart()
    window.open("animals")
    assert len(window.names()) == 14 and "Kingfisher" not in window.names()


def test_reload_sample_data_twice_without_saving(window, app):
    window.open()
    window.set_autosave(False)
    for _ in range(2):
        window.click("#reload")
        window.confirm()
        window.wait(lambda: window.names(".category-count") == ["14", "2", "2", "2", "2", "4", "2"], "samples")
    window.click("#save")
    window.is_saved()
    app.restart()
    window.open()
    assert window.names(".category-count") == ["14", "2", "2", "2", "2", "4", "2"]
