"""Adding, editing and looking at animals and categories."""

from selenium.webdriver.support.ui import Select


def test_the_sample_data_is_there_at_first_launch(window):
    window.open()
    assert window.names(".category-name") == [
        "All animals", "Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"]
    assert window.names(".category-count") == ["14", "2", "2", "2", "2", "4", "2"]
    window.choose_category("Mammal")
    window.lists("Cat", "Dog", "Gibbon", "Kangaroo")


def test_detail_shows_the_animal(window):
    window.open_animal("Mammal", "Kangaroo")
    assert window.find(".eyebrow").text == "Mammal"
    assert "Herbivore" in window.find(".facts").text
    assert window.names(".chip") == ["Cat", "Dog", "Gibbon"]
    assert window.named(".row-face", "Kangaroo").get_attribute("aria-current") == "true"


def test_all_animals_stay_listed_when_one_is_selected(window):
    window.open("animals")
    assert len(window.names()) == 14
    window.choose("Newt")
    assert len(window.names()) == 14
    assert window.find(".list-title").text == "All animals"


def test_add_an_animal(window):
    window.open()
    window.choose_category("Bird")
    window.click("#add-animal")
    assert Select(window.find("select[name=category]")).first_selected_option.text == "Bird"
    window.fill("Kingfisher", diet="Carnivore")
    window.submit()
    window.selects("Kingfisher")
    window.lists("Barn owl", "Kingfisher", "Sparrow")
    window.says("“Kingfisher” added.")
    assert "notice=" not in window.path


def test_the_address_of_a_new_animal_becomes_the_lasting_one(window, app):
    """Saving gives the animal its permanent identifier; the window follows, and the first address works too."""
    window.open()
    window.set_autosave(False)
    window.choose_category("Fish")
    window.click("#add-animal")
    window.fill("Eel", diet="Carnivore")
    window.submit()
    window.selects("Eel")
    before = window.path
    assert before.startswith("/animals/x-coredata%3A%2F%2F%2FAnimal%2Ft"), "The identifier belongs to no store yet."
    window.click("#save")
    window.wait(lambda: window.path != before, "address of the saved animal")
    window.selects("Eel")
    status, _, headers = app.request("GET", before)
    assert (status, headers["Location"]) == (303, window.path)
    app.restart()
    window.open(window.path)
    window.selects("Eel")


def test_edit_an_animal(window):
    window.open_animal("Amphibian", "Newt")
    window.click("#edit")
    assert window.find("input[name=name]").get_attribute("value") == "Newt"
    window.fill("Fire salamander", category="Reptile", diet="Omnivore")
    window.submit()
    window.selects("Fire salamander")
    assert window.find(".eyebrow").text == "Reptile"
    assert "Omnivore" in window.find(".facts").text
    window.lists("Chameleon", "Fire salamander", "Green iguana")


def test_typing_goes_on_after_the_name(window):
    """Right after Edit, Rename, and a form that is shown again."""
    window.open_animal("Amphibian", "Newt")
    window.click("#edit")
    window.find("#name")
    window.press(" the second")
    assert window.find("#name").get_attribute("value") == "Newt the second"
    window.open("categories/new")
    window.fill("Bird")
    window.submit()
    window.shows("There is already a category")
    window.press("s of prey")
    assert window.find("#name").get_attribute("value") == "Birds of prey"


def test_cancel_an_edit(window):
    window.open_animal("Amphibian", "Newt")
    window.click("#edit")
    window.fill("Something else")
    window.click("#cancel")
    window.selects("Newt")


def test_add_and_rename_a_category(window):
    window.open()
    window.click("#add-category")
    window.fill("Arachnid")
    window.submit()
    window.wait(lambda: window.visible(".list-title").text == "Arachnid", "the new category")
    window.shows("No animals here yet.")
    window.click("#edit-category")
    window.fill("Spiders and kin")
    window.submit()
    window.wait(lambda: "Spiders and kin" in window.names(".category-name"), "the new name")
    assert "Arachnid" not in window.names(".category-name")


def test_everything_works_without_the_script(app):
    """Forms and links do it all: add, edit, delete with a confirmation page."""
    _, page, _ = app.request("GET", "/animals/new")
    category = page.split(">Bird</option>")[0].rsplit('value="', 1)[1].split('"')[0]
    status, _, headers = app.request(
        "POST", "/animals/new", {"name": "Wren", "diet": "Carnivore", "category": category})
    assert status == 303
    page, place = app.page_at(headers["Location"])
    assert "<h1>Wren</h1>" in page and "“Wren” added." in page
    place = place.split("?")[0]
    status, page, _ = app.request("GET", f"{place}/delete")
    assert status == 200 and "Delete “Wren”?" in page
    status, _, headers = app.request("POST", f"{place}/delete", {})
    assert status == 303
    page, _ = app.page_at(headers["Location"])
    assert "“Wren” deleted." in page and ">Wren</span>" not in page
