"""A browser, the programs under test, and a place for screenshots.

ANIMALS_EXECUTABLE         the built app; by default the debug build of Examples/Animals
MODELSTORE_EXECUTABLE      the built command line; by default the debug build of this package
BROWSER_SAMPLE_EXECUTABLE  what makes a store for it; by default beside it
ANIMALS_SCREENSHOTS        folder for screenshots; by default a temporary one
CHROMIUM, CHROMEDRIVER     the browser and its driver; by default Debian's
"""

import os
import shutil
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

import browse_app
from animals_app import EXECUTABLE, AnimalsApp
from windows import Window


def new_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM") or shutil.which("chromium") or "chromium"
    # No sandbox: build machines run this as root in a container. The browser only ever visits this machine.
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1280,800",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver") or "chromedriver"
    return webdriver.Chrome(options=options, service=Service(driver))


@pytest.fixture(scope="session")
def built():
    if EXECUTABLE.exists():
        return
    if "ANIMALS_EXECUTABLE" in os.environ:
        pytest.fail(f"{EXECUTABLE} does not exist.")
    pytest.skip("Examples/Animals is not built: swift build --package-path Examples/Animals")


@pytest.fixture
def app(built, tmp_path):
    app = AnimalsApp(tmp_path)
    yield app
    assert app.is_running, f"The app ended by itself: {app.log.read_text()}"
    app.stop()
    assert app.process.returncode == 0, f"The app ended with {app.process.returncode}: {app.log.read_text()}"


@pytest.fixture(scope="session")
def modelstore_built():
    for executable in (browse_app.EXECUTABLE, browse_app.SAMPLE):
        if executable.exists():
            continue
        if "MODELSTORE_EXECUTABLE" in os.environ:
            pytest.fail(f"{executable} does not exist.")
        pytest.skip("modelstore is not built: swift build")


@pytest.fixture(scope="session")
def looking(modelstore_built, tmp_path_factory):
    """`modelstore browse` without leave to write."""
    app = browse_app.BrowseApp(tmp_path_factory.mktemp("looking"))
    yield app
    app.stop()


@pytest.fixture
def writing(modelstore_built, tmp_path):
    """`modelstore browse --write`, with steps small enough to stop between two of them."""
    app = browse_app.BrowseApp(tmp_path, "--write", "--step", "150")
    yield app
    app.stop()


@pytest.fixture(scope="session")
def first_browser():
    browser = new_browser()
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def second_browser():
    browser = new_browser()
    yield browser
    browser.quit()


@pytest.fixture
def window(app, first_browser):
    yield from desktop_window(first_browser, app)


@pytest.fixture
def other_window(app, second_browser):
    """A window of another browser, which listens for itself."""
    yield from desktop_window(second_browser, app)


@pytest.fixture
def phone(app, first_browser):
    window = Window(first_browser, app)
    window.be_phone()
    yield window
    finish(window)


def desktop_window(browser, app):
    window = Window(browser, app)
    window.be_desktop()
    yield window
    finish(window)


def finish(window):
    """A page must not have broken its own content policy or run into an error."""
    complaints = [entry["message"] for entry in window.browser.get_log("browser")
                  if "Content Security Policy" in entry["message"] or "Uncaught" in entry["message"]]
    window.close()
    assert not complaints, complaints


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory):
    folder = os.environ.get("ANIMALS_SCREENSHOTS")
    path = Path(folder) if folder else tmp_path_factory.mktemp("screenshots")
    path.mkdir(parents=True, exist_ok=True)
    return path
