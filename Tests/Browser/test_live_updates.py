"""Every open window shows what another one changed."""

from selenium.webdriver.support.ui import Select

from animals_app import AnimalsApp
from test_long_work import natural_order


def test_a_second_browser_follows(window, other_window):
    window.open()
    window.choose_category("Bird")
    other_window.open()
    other_window.choose_category("Bird")
    window.click("#add-animal")
    window.fill("Kingfisher", diet="Carnivore")
    window.submit()
    other_window.lists("Barn owl", "Kingfisher", "Sparrow")
    other_window.swipe_by_mouse("Barn owl", 280)
    window.lists("Kingfisher", "Sparrow")


def test_a_second_tab_of_the_same_browser_follows(window, app):
    """The tabs of a browser share one connection, whichever of them holds it."""
    window.open()
    window.choose_category("Bird")
    first = window.browser.current_window_handle
    window.browser.switch_to.new_window("tab")
    window.open()
    window.choose_category("Bird")
    window.swipe_by_mouse("Barn owl", 280)
    window.lists("Sparrow")
    second = window.browser.current_window_handle
    window.browser.switch_to.window(first)
    window.lists("Sparrow")
    window.browser.switch_to.window(second)
    window.browser.close()
    window.browser.switch_to.window(first)
    window.swipe_by_mouse("Sparrow", 280)
    window.lists()


def test_many_tabs_do_not_use_up_the_connections(window):
    """A browser opens about six connections to one address; one each would leave none to load a page with."""
    window.open("animals")
    for _ in range(8):
        window.browser.switch_to.new_window("tab")
        window.open("animals")
        assert len(window.names()) == 14
    window.swipe_by_mouse("Barn owl", 280)
    for handle in window.browser.window_handles:
        window.browser.switch_to.window(handle)
        window.lacks("Barn owl")


def test_a_window_closes_an_animal_deleted_elsewhere(window, other_window):
    window.open_animal("Mammal", "Dog")
    other_window.open_animal("Mammal", "Dog")
    window.click("#delete")
    window.confirm()
    other_window.selects_nothing()
    other_window.lists("Cat", "Gibbon", "Kangaroo")
    other_window.says("“Dog” was deleted in another window.")


def test_a_form_without_changes_is_closed_when_its_animal_is_deleted_elsewhere(window, other_window):
    other_window.open_animal("Mammal", "Dog")
    other_window.click("#edit")
    other_window.find("input[name=name]")
    window.open_animal("Mammal", "Dog")
    window.click("#delete")
    window.confirm()
    other_window.selects_nothing()


def edit_dog(window):
    window.open_animal("Mammal", "Dog")
    window.click("#edit")
    window.named(".option", "Omnivore").click()
    window.fill("Wolfhound")


def test_what_was_typed_becomes_a_new_animal_when_the_animal_is_deleted_elsewhere(window, other_window):
    edit_dog(other_window)
    window.open_animal("Mammal", "Dog")
    window.click("#delete")
    window.confirm()
    other_window.shows("What you typed is kept: choose Add to make it a new animal.")
    assert other_window.visible(".detail h1").text == "New animal"
    assert other_window.find("#name").get_attribute("value") == "Wolfhound"
    other_window.press(" and more")
    other_window.lists("Cat", "Gibbon", "Kangaroo")
    assert other_window.find("#name").get_attribute("value") == "Wolfhound and more", "The caret stays where it was."
    assert other_window.names(".option:has(:checked) strong") == ["Omnivore"]
    other_window.submit()
    other_window.selects("Wolfhound and more")
    window.lists("Cat", "Gibbon", "Kangaroo", "Wolfhound and more")


def test_what_was_typed_survives_reloading_the_page(window, app):
    edit_dog(window)
    page = window.path.replace("/edit", "/delete")
    assert app.request("POST", page, {})[0] == 303
    window.shows("What you typed is kept")
    window.open(window.path)
    window.shows("What you typed is kept")
    assert window.find("#name").get_attribute("value") == "Wolfhound"


def test_what_was_typed_is_kept_when_the_category_is_deleted_elsewhere(window, other_window):
    edit_dog(other_window)
    window.open()
    window.choose_category("Mammal")
    window.click("#delete-category")
    window.confirm()
    other_window.shows("What you typed is kept")
    other_window.wait(lambda: "Mammal" not in other_window.names("select[name=category] option"), "no Mammal to choose")
    other_window.wait(lambda: other_window.find("#name").get_attribute("value") == "Wolfhound", "the typed name")
    Select(other_window.find("select[name=category]")).select_by_visible_text("Bird")
    other_window.submit()
    other_window.selects("Wolfhound")


def test_the_new_name_of_a_category_deleted_elsewhere_is_kept(window, other_window):
    other_window.open()
    other_window.choose_category("Mammal")
    other_window.click("#edit-category")
    other_window.fill("Furry ones")
    window.open()
    window.choose_category("Mammal")
    window.click("#delete-category")
    window.confirm()
    other_window.shows("This category is no longer here.")
    other_window.wait(lambda: other_window.visible(".detail h1").text == "New category", "a form for a new category")
    assert other_window.find("#name").get_attribute("value") == "Furry ones"
    other_window.submit()
    other_window.wait(lambda: "Furry ones" in other_window.names(".category-name"), "the category")


def test_typed_text_survives_a_change_elsewhere(window, other_window):
    other_window.open_animal("Mammal", "Dog")
    other_window.click("#edit")
    other_window.fill("Wolfhound")
    window.open()
    window.choose_category("Mammal")
    window.swipe_by_mouse("Cat", 280)
    other_window.lists("Dog", "Gibbon", "Kangaroo")
    assert other_window.find("input[name=name]").get_attribute("value") == "Wolfhound"
    other_window.submit()
    window.lists("Gibbon", "Kangaroo", "Wolfhound")


def test_a_window_leaves_a_category_deleted_elsewhere(window, other_window):
    other_window.open_animal("Mammal", "Dog")
    window.open()
    window.choose_category("Mammal")
    window.click("#delete-category")
    window.confirm()
    other_window.selects_nothing()
    other_window.wait(lambda: "Mammal" not in other_window.names(".category-name"), "no Mammal")
    other_window.wait(lambda: other_window.path == "/", "the start page")


def test_a_reload_reaches_every_window(window, other_window):
    other_window.open_animal("Mammal", "Dog")
    window.open()
    window.click("#reload")
    window.confirm()
    other_window.selects_nothing()
    other_window.choose_category("Mammal")
    other_window.lists("Cat", "Dog", "Gibbon", "Kangaroo")


def test_the_saving_state_is_the_same_everywhere(window, other_window):
    window.open()
    other_window.open_animal("Mammal", "Dog")
    window.set_autosave(False)
    other_window.find("#save")
    other_window.click("#edit")
    other_window.fill("Wolf")
    other_window.submit()
    window.wait(lambda: "Unsaved changes" in window.state, "unsaved changes")
    window.click("#save")
    other_window.is_saved()


def test_a_window_catches_up_after_the_app_was_started_again(window, app):
    window.open_animal("Mammal", "Dog")
    window.set_autosave(False)
    app.restart()
    window.wait(lambda: window.find("#autosave").get_attribute("aria-checked") == "true", "autosave of the new launch")
    window.selects("Dog")


def test_a_window_shows_what_another_process_saved(window, app, tmp_path):
    """Another process on the same file: its categories, animals and edits, in the sidebar, the counts and the list."""
    window.open("animals")
    assert window.count == 14
    other = AnimalsApp(tmp_path)
    assert other.request("POST", "/categories/new", {"name": "Insect"})[0] == 303
    window.wait(lambda: "Insect" in window.names(".category-name"), "the category of another process")
    window.choose_category("Insect")
    window.lists()
    key = window.browser.execute_script("return document.body.dataset.shown")
    entry = {"name": "Bee", "diet": "Herbivore", "category": key}
    status, _, headers = other.request("POST", "/animals/new", entry)
    assert status == 303
    window.lists("Bee")
    window.wait(lambda: window.count == 15, "the animal of another process among all")
    page = headers["Location"].split("?")[0]
    assert other.request("POST", f"{page}/edit", {**entry, "name": "Bumblebee"})[0] == 303
    window.lists("Bumblebee")
    other.stop()
    assert other.process.returncode == 0, other.log.read_text()


def test_a_list_follows_changes_beyond_its_page(window):
    """Animals that come after the last one shown do not join the page; deleted ones are replaced by those that follow."""
    window.open()
    window.load_big_sample()
    window.open("animals")
    first = window.names()
    window.swipe_by_mouse(first[0], 280)
    window.wait(lambda: window.names()[:-1] == first[1:] and len(window.names()) == 100, "the next animal at the end")
    window.load_big_sample()
    names = window.names()
    assert len(names) == 100 and names == sorted(names, key=natural_order)
    assert window.path == "/animals"
