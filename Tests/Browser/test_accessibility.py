"""axe-core finds nothing on any page of Animals: light and dark, on a desktop and on a phone."""

import pytest

from accessibility import violations
from animals_app import AnimalsApp
from windows import Window

READING = {
    "start": "", "all": "animals", "found": "animals?q=a", "not-found": "animals?q=nothing", "new-animal": "animals/new",
    "new-category": "categories/new", "kept": "animals/new?deleted=animal&name=Wolf&diet=Carnivore",
    "delete-all": "delete-all", "reload": "sample-data", "discard": "discard", "problem": "animals/unknown",
}


def check(window, name):
    window.still()
    assert window.browser.execute_script("return document.querySelectorAll('main').length") == 1, name
    shown = "return [...document.querySelectorAll('h1')].filter((e) => e.checkVisibility() && !e.closest('dialog')).length"
    assert window.browser.execute_script(shown) == 1, name
    assert violations(window) == [], name


@pytest.fixture(params=["desktop", "phone"])
def any_window(request, built, tmp_path, first_browser):
    app = AnimalsApp(tmp_path, big_sample=9_000, step=20)
    window = Window(first_browser, app)
    window.be_phone() if request.param == "phone" else window.be_desktop(1440, 900)
    yield window
    window.close()
    app.stop()
    assert app.process.returncode == 0, app.log.read_text()


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_pages_to_read(any_window, is_dark):
    any_window.be_dark(is_dark)
    for name, path in READING.items():
        any_window.open(path)
        check(any_window, name)


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_pages_to_change(any_window, is_dark):
    window = any_window
    window.be_dark(is_dark)
    window.open_animal("Mammal", "Kangaroo")
    check(window, "animal")
    window.click("#edit")
    window.find("#name")
    check(window, "edit")
    window.fill("")
    window.skip_checks_of_browser()
    window.submit()
    window.shows("Please enter a name.")
    check(window, "edit-problem")
    window.open_animal("Mammal", "Kangaroo")
    window.click("#delete")
    window.find("dialog[open]")
    check(window, "dialog")
    window.confirm()
    window.says("“Kangaroo” deleted.")
    check(window, "notice")
    window.open()
    window.set_autosave(False)
    window.open_animal("Bird", "Sparrow")
    window.click("#edit")
    window.fill("House sparrow")
    window.submit()
    window.selects("House sparrow")
    check(window, "unsaved")


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_long_tasks(any_window, is_dark):
    window = any_window
    # Deleting all takes most of the usual time already on a machine that does nothing else.
    window.patience = 30
    window.be_dark(is_dark)
    window.open()
    window.load_big_sample()
    window.open("animals?page=2")
    check(window, "pages")
    window.open()
    window.click("#delete-all")
    window.confirm()
    window.work_is("deleting")
    # The delete must not be done before the page is checked and the button pressed; the request waits for the app.
    with window.app.paused():
        check(window, "deleting")
        window.click("#work-stop")
    window.work_is("stopped")
    check(window, "stopped")
    window.click("#work-resume")
    window.work_is("deleted")
    window.wait(lambda: window.count == 0, "no animals")
    check(window, "empty")
    window.click("#work-undo")
    window.work_is("restored")
    check(window, "restored")
