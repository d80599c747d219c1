"""Every open window shows what another one changed."""


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


def test_a_window_lets_go_of_an_animal_deleted_elsewhere(window, other_window):
    window.open_animal("Mammal", "Dog")
    other_window.open_animal("Mammal", "Dog")
    window.click("#delete")
    window.confirm()
    other_window.selects_nothing()
    other_window.lists("Cat", "Gibbon", "Kangaroo")
    other_window.says("Deleted in another window.")


def test_a_form_lets_go_of_an_animal_deleted_elsewhere(window, other_window):
    other_window.open_animal("Mammal", "Dog")
    other_window.click("#edit")
    other_window.find("input[name=name]")
    window.open_animal("Mammal", "Dog")
    window.click("#delete")
    window.confirm()
    other_window.selects_nothing()


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
