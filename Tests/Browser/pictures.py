"""Makes the pictures of Animals in Documentation/Images anew.

    .build/browser-tests/bin/python Tests/Browser/pictures.py

Needs what scripts/browser-test installs and builds, and the font Inter (Debian: fonts-inter).
"""

import tempfile

from animals_app import ROOT, AnimalsApp
from conftest import new_browser
from windows import Window

IMAGES = ROOT / "Documentation/Images"


def take(browser, picture, width, height, scale, **options):
    with tempfile.TemporaryDirectory() as folder:
        app = AnimalsApp(folder, **options)
        window = Window(browser, app)
        window.be_desktop(width, height, scale)
        window.open()
        try:
            picture(window)
        finally:
            window.close()
            app.stop()


def editing(window):
    """An animal with an unsaved change, and a row swiped open."""
    window.set_autosave(False)
    window.open_animal("Mammal", "Kangaroo")
    window.click("#edit")
    window.fill("Red kangaroo")
    window.submit()
    window.selects("Red kangaroo")
    window.wait(lambda: not window.names(".toast"), "an end of the notices")
    window.swipe_by_mouse("Gibbon", 100)
    window.still()
    window.screenshot(IMAGES / "animals.png")


def deleting(window):
    """Everything is being deleted, and about half of it is done."""
    window.patience = 60
    window.load_big_sample()
    window.open("animals")
    window.click("#delete-all")
    window.confirm()
    window.wait(lambda: window.browser.execute_script(
        "const bar = document.querySelector('.work-bar'); return bar && bar.value / bar.max > 0.43"), "nearly half")
    window.screenshot(IMAGES / "animals-delete.png")


if __name__ == "__main__":
    browser = new_browser()
    take(browser, editing, 1280, 800, 2, big_sample=100_000)
    take(browser, deleting, 1280, 640, 1, big_sample=100_000)
    browser.quit()
