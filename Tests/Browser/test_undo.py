"""Every delete can be undone, before and after it is saved."""

from test_bad_input import animal_path, category_path

MAMMALS = ("Cat", "Dog", "Gibbon", "Kangaroo")


def delete_category(window, name):
    window.open()
    window.choose_category(name)
    window.click("#delete-category")
    window.confirm()
    window.wait(lambda: name not in window.names(".category-name"), f"no {name}")
    window.says(f"“{name}” ")


def add_category(window, name):
    window.open("categories/new")
    window.fill(name)
    window.submit()
    window.wait(lambda: name in window.names(".category-name"), name)


def undo_id(app, path):
    """Deletes without a browser; what the notice's Undo button sends."""
    _, _, headers = app.request("POST", f"{path}/delete", {})
    page, _ = app.page_at(headers["Location"])
    assert 'action="/undo"' in page
    return page.split('name="id" value="')[1].split('"')[0]


def test_undo_after_a_swipe(window, app):
    window.open_animal("Mammal", "Dog")
    place = window.path
    window.swipe_by_mouse("Dog", 280)
    window.lacks("Dog")
    window.says("“Dog” deleted.")
    window.undo()
    window.lists(*MAMMALS)
    window.says("“Dog” restored.")
    window.is_saved()
    app.restart()
    window.open(place)
    window.selects("Dog")


def test_undo_after_delete_in_the_detail_view_on_a_phone(phone):
    phone.open_animal("Fish", "Pike")
    phone.click("#delete")
    phone.confirm()
    phone.lists("Clownfish")
    phone.undo()
    phone.lists("Clownfish", "Pike")


def test_undo_brings_a_category_back_with_its_animals(window, other_window, app):
    other_window.open("animals")
    delete_category(window, "Mammal")
    other_window.lacks("Kangaroo")
    window.undo()
    window.wait(lambda: "Mammal" in window.names(".category-name"), "Mammal")
    window.choose_category("Mammal")
    window.lists(*MAMMALS)
    other_window.wait(lambda: len(other_window.names()) == 14, "all animals in the other window")
    app.restart()
    window.open()
    window.choose_category("Mammal")
    window.lists(*MAMMALS)


def test_the_notice_stays_when_another_page_is_opened(window):
    window.open()
    window.choose_category("Mammal")
    window.swipe_by_mouse("Dog", 280)
    window.lacks("Dog")
    window.says("“Dog” deleted.")
    window.choose_category("Fish")
    window.says("“Dog” deleted.")
    window.choose_category("Mammal")
    window.undo()
    window.lists(*MAMMALS)
    window.choose_category("Fish")
    assert not window.names(".toast-action")


def undo_names(window):
    return window.browser.execute_script(
        "return [...document.querySelectorAll('.toast-action')].map(e => [e.innerText.trim(), e.getAttribute('aria-label')])")


def test_a_notice_and_its_button_name_what_was_deleted(window):
    window.open()
    window.choose_category("Mammal")
    for name in ("Cat", "Dog"):
        window.swipe_by_mouse(name, 280)
        window.says(f"“{name}” deleted.")
    assert undo_names(window) == [["Undo", "Undo: “Cat” deleted."], ["Undo", "Undo: “Dog” deleted."]]
    window.named(".toast", "Cat").find_element("css selector", ".toast-action").click()
    window.says("“Cat” restored.")
    window.lists("Cat", "Gibbon", "Kangaroo")
    window.click("#delete-category")
    window.confirm()
    window.says("“Mammal” and its 3 animals deleted.")
    window.undo()
    window.says("“Mammal” and its 3 animals restored.")
    window.open("animals")
    for name in ("Barn owl", "Sparrow", "Clownfish", "Pike"):
        window.swipe_by_mouse(name, 280)
        window.lacks(name)
    window.says("“Pike” deleted.")


def test_a_notice_counts_in_the_singular(window):
    add_category(window, "Arachnid")
    window.click("#add-animal")
    window.fill("Tarantula", diet="Carnivore")
    window.submit()
    window.selects("Tarantula")
    delete_category(window, "Arachnid")
    window.says("“Arachnid” and its 1 animal deleted.")
    add_category(window, "Plankton")
    window.click("#delete-category")
    window.confirm()
    window.says("“Plankton” deleted.")


def test_two_deletes_are_undone_one_by_one_in_any_order(window):
    window.open()
    window.choose_category("Mammal")
    for name in ("Cat", "Dog"):
        window.swipe_by_mouse(name, 280)
        window.lacks(name)
        window.says(f"“{name}” deleted.")
    window.wait(lambda: len(window.names(".toast-action")) == 2, "two notices")
    window.browser.find_element("css selector", ".toast-action").click()
    window.lists("Cat", "Gibbon", "Kangaroo")
    window.undo()
    window.lists(*MAMMALS)


def test_undo_after_a_reload_brings_back_what_was_there(window):
    window.open()
    window.choose_category("Bird")
    window.click("#add-animal")
    window.fill("Kingfisher", diet="Carnivore")
    window.submit()
    window.selects("Kingfisher")
    add_category(window, "Arachnid")
    window.click("#reload")
    window.confirm()
    window.says("Sample data reloaded.")
    window.wait(lambda: "Arachnid" not in window.names(".category-name"), "no Arachnid")
    window.undo()
    window.wait(lambda: "Arachnid" in window.names(".category-name"), "Arachnid")
    window.choose_category("Bird")
    window.lists("Barn owl", "Kingfisher", "Sparrow")
    assert window.names(".category-count") == ["15", "2", "0", "3", "2", "2", "4", "2"]
    window.is_saved()


def test_undo_of_a_reload_is_refused_once_the_samples_were_changed(window):
    window.open()
    window.click("#reload")
    window.confirm()
    window.says("Sample data reloaded.")
    window.choose_category("Bird")
    window.swipe_by_mouse("Barn owl", 280)
    window.lists("Sparrow")
    window.named(".toast", "Sample data reloaded.").find_element("css selector", ".toast-action").click()
    window.says("the sample data has been changed since")
    window.lists("Sparrow")


def test_undo_says_when_the_name_was_taken_since(window):
    delete_category(window, "Mammal")
    toast = window.browser.execute_script("return document.querySelector('.toast [name=id]').value")
    add_category(window, "Mammal")
    window.is_saved()
    status, page, _ = window.app.request("POST", "/undo", {"id": toast})
    assert status == 409 and "there is a new category called “Mammal”" in page
    window.open("animals")
    assert len(window.names()) == 10
    window.choose_category("Mammal")
    window.click("#edit-category")
    window.fill("New mammals")
    window.submit()
    window.wait(lambda: "New mammals" in window.names(".category-name"), "the new name")
    window.is_saved()
    assert window.app.request("POST", "/undo", {"id": toast})[0] == 303
    window.wait(lambda: "Mammal" in window.names(".category-name"), "Mammal is back")
    window.choose_category("Mammal")
    window.lists(*MAMMALS)


def test_the_refusal_is_shown_in_the_window(window, app):
    delete_category(window, "Bird")
    assert app.request("POST", "/categories/new", {"name": "Bird"})[0] == 303
    window.undo()
    window.says("Nothing was restored because there is a new category called “Bird”.")


def test_undo_says_when_the_category_of_an_animal_went_since(app):
    animal = undo_id(app, animal_path(app, "Dog"))
    category = undo_id(app, category_path(app, 'Mammal'))
    status, page, _ = app.request("POST", "/undo", {"id": animal})
    assert status == 409 and "“Dog” was not restored because its category has been deleted since." in page
    assert app.request("POST", "/undo", {"id": category})[0] == 303
    assert app.request("POST", "/undo", {"id": animal})[0] == 303
    assert app.request("GET", animal_path(app, "Dog"))[0] == 200


def test_undo_works_once_and_only_for_what_was_deleted(app):
    item = undo_id(app, animal_path(app, "Dog"))
    assert app.request("POST", "/undo", {"id": item})[0] == 303
    for known in (item, "", "x" * 3000, "../..", "<b>"):
        status, page, _ = app.request("POST", "/undo", {"id": known})
        assert status == 404 and "This can no longer be undone." in page
    assert app.request("GET", "/animals")[1].count('class="row-name"') == 14


def test_undo_of_an_earlier_launch_is_refused(app):
    item = undo_id(app, animal_path(app, "Dog"))
    app.restart()
    status, page, _ = app.request("POST", "/undo", {"id": item})
    assert status == 404 and "This can no longer be undone." in page


def test_the_notice_without_the_script_has_the_button_until_it_was_used(app):
    _, _, headers = app.request("POST", f"{animal_path(app, 'Dog')}/delete", {})
    place = headers["Location"]
    page, _ = app.page_at(place)
    item = page.split('name="id" value="')[1].split('"')[0]
    status, _, headers = app.request("POST", "/undo", {"id": item})
    assert status == 303 and "Dog" in app.page_at(headers["Location"])[0]
    assert 'action="/undo"' not in app.page_at(place)[0]


def test_many_undos_at_once(app):
    from concurrent.futures import ThreadPoolExecutor
    items = [undo_id(app, animal_path(app, name)) for name in ("Dog", "Cat", "Newt", "Pike")]
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda item: app.request("POST", "/undo", {"id": item})[0], items * 8))
    assert sorted(answers) == [303] * 4 + [404] * 28
    assert app.request("GET", "/animals")[1].count('class="row-name"') == 14


# With autosave off

def test_before_the_save_undo_takes_back_the_delete_only(window):
    window.open()
    window.set_autosave(False)
    window.open_animal("Fish", "Pike")
    window.click("#edit")
    window.fill("Northern pike")
    window.submit()
    window.selects("Northern pike")
    delete_category(window, "Mammal")
    window.undo()
    window.wait(lambda: "Mammal" in window.names(".category-name"), "Mammal")
    window.choose_category("Mammal")
    window.lists(*MAMMALS)
    assert "Unsaved changes" in window.state
    window.choose_category("Fish")
    window.lists("Clownfish", "Northern pike")
    window.click("#save")
    window.is_saved()
    window.choose_category("Mammal")
    window.lists(*MAMMALS)


def test_before_the_save_deletes_are_undone_from_the_last(window):
    window.open()
    window.set_autosave(False)
    window.choose_category("Mammal")
    for name in ("Cat", "Dog"):
        window.swipe_by_mouse(name, 280)
        window.lacks(name)
    window.wait(lambda: len(window.names(".toast-action")) == 2, "two notices")
    window.browser.find_element("css selector", ".toast-action").click()
    window.says("Something else was changed after this delete.")
    window.lists("Gibbon", "Kangaroo")
    window.undo()
    window.lists("Dog", "Gibbon", "Kangaroo")


def test_an_animal_that_was_never_saved_comes_back(window):
    window.open()
    window.set_autosave(False)
    window.choose_category("Bird")
    window.click("#add-animal")
    window.fill("Wren", diet="Carnivore")
    window.submit()
    window.selects("Wren")
    window.swipe_by_mouse("Wren", 280)
    window.lists("Barn owl", "Sparrow")
    window.undo()
    window.lists("Barn owl", "Sparrow", "Wren")
    window.click("#save")
    window.is_saved()
    window.lists("Barn owl", "Sparrow", "Wren")


def test_after_the_save_undo_takes_back_all_deletes_of_it(window, app):
    window.open()
    window.set_autosave(False)
    window.choose_category("Mammal")
    for name in ("Cat", "Dog"):
        window.swipe_by_mouse(name, 280)
        window.lacks(name)
    window.click("#save")
    window.says("All changes saved: “Cat” and “Dog” deleted.")
    window.is_saved()
    window.named(".toast", "All changes saved: “Cat” and “Dog” deleted.").find_element("css selector", ".toast-action").click()
    window.lists(*MAMMALS)
    window.says("“Cat” and “Dog” restored.")
    app.restart()
    window.open()
    window.choose_category("Mammal")
    window.lists(*MAMMALS)


def test_a_discarded_delete_cannot_be_undone(app):
    app.request("POST", "/saving", {"autosave": "off"})
    item = undo_id(app, animal_path(app, "Dog"))
    app.request("POST", "/discard", {})
    status, page, _ = app.request("POST", "/undo", {"id": item})
    assert status == 404 and "This can no longer be undone." in page
    assert app.request("GET", "/animals")[1].count('class="row-name"') == 14


def test_a_reload_is_undone_before_and_after_the_save(window):
    window.open()
    window.set_autosave(False)
    add_category(window, "Arachnid")
    window.click("#save")
    window.is_saved()
    for saves in (False, True):
        window.click("#reload")
        window.confirm()
        window.says("Sample data reloaded.")
        window.wait(lambda: "Arachnid" not in window.names(".category-name"), "no Arachnid")
        if saves:
            window.click("#save")
            window.is_saved()
            window.named(".toast", "previous animals and categories deleted").find_element("css selector", ".toast-action").click()
        else:
            window.undo()
        window.wait(lambda: "Arachnid" in window.names(".category-name"), "Arachnid")
        assert window.names(".category-count") == ["14", "2", "0", "2", "2", "2", "4", "2"]
