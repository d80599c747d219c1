"""The pages on a phone and on a desktop, light and dark; the screenshots are for looking at."""

import pytest

from animals_app import AnimalsApp
from windows import Window

LONG = "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"


def visit(window, picture):
    """Goes through all kinds of pages."""
    window.open()
    picture("categories")
    window.choose_category("Mammal")
    picture("list")
    window.choose("Kangaroo")
    picture("detail")
    window.click("#delete")
    window.find("dialog[open]")
    picture("confirm")
    window.press("\ue00c")
    window.click("#edit")
    window.find("input[name=name]")
    picture("edit")
    window.open("categories/new")
    picture("new-category")
    window.open("animals/unknown")
    picture("problem")
    window.open()
    window.set_autosave(False)
    window.choose_category("Bird")
    window.choose("Sparrow")
    window.click("#edit")
    window.fill("House sparrow")
    window.submit()
    window.selects("House sparrow")
    picture("unsaved")


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width, height", [(1280, 800), (1000, 700), (780, 900)])
def test_desktop(window, screenshots, width, height, colours):
    window.be_desktop(width, height)
    window.be_dark(colours == "dark")

    def picture(name):
        window.screenshot(screenshots / f"desktop-{width}-{name}-{colours}.png")
        assert window.overflow() <= 0, name

    visit(window, picture)
    window.open_animal("Mammal", "Kangaroo")
    for column in (".sidebar", ".list", ".detail"):
        assert window.visible(column), f"{column} is visible beside the others"
    assert not window.visible(".back")


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width, height", [(390, 844), (320, 568)])
def test_phone(phone, screenshots, width, height, colours):
    phone.be_phone(width, height)
    phone.be_dark(colours == "dark")

    def picture(name):
        phone.screenshot(screenshots / f"phone-{width}-{name}-{colours}.png")
        assert phone.overflow() <= 0, name
        assert phone.browser.execute_script("return innerWidth") == width, name

    visit(phone, picture)


def test_a_phone_shows_one_column_and_goes_back(phone):
    phone.open()
    assert phone.visible(".sidebar") and not phone.visible(".list") and not phone.visible(".detail")
    phone.choose_category("Fish")
    assert phone.visible(".list") and not phone.visible(".sidebar") and not phone.visible(".detail")
    phone.choose("Pike")
    assert phone.visible(".detail") and not phone.visible(".list")
    phone.click(".detail .back")
    phone.wait(lambda: phone.visible(".list"), "the list")
    phone.click(".list .back")
    phone.wait(lambda: phone.visible(".sidebar"), "the categories")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_long_names_do_not_widen_the_page(window, size):
    if size == "phone":
        window.be_phone()
    window.open("categories/new")
    window.fill(LONG)
    window.submit()
    window.wait(lambda: LONG in window.names(".category-name"), "the category")
    assert window.overflow() <= 0
    window.click("#add-animal")
    window.fill(LONG, diet="Omnivore")
    window.submit()
    window.selects(LONG)
    assert window.overflow() <= 0
    window.click("#delete")
    window.find("dialog[open]")
    assert window.overflow() <= 0


CAVES = "Animals that live in caves, below ground, or in the deep sea without light"


@pytest.mark.parametrize("width", [1440, 1000, 390])
def test_a_long_category_name_leaves_every_count_in_sight(window, width):
    window.be_desktop(width, 900) if width > 500 else window.be_phone(width)
    window.open("categories/new")
    window.fill(CAVES)
    window.submit()
    window.wait(lambda: CAVES in window.names(".category-name"), "the category")
    window.click("#add-animal")
    window.fill(CAVES, diet="Omnivore")
    window.submit()
    window.selects(CAVES)
    for path, column, parts in (("", ".sidebar", ".category-count"), ("animals", ".list", ".row .chevron")):
        window.open(path)
        window.find(column)
        outside = window.browser.execute_script("""
            const edge = document.querySelector(arguments[0]).getBoundingClientRect().right;
            return [...document.querySelectorAll(arguments[1])]
                .filter((e) => e.getBoundingClientRect().width === 0 || e.getBoundingClientRect().right > edge - 10)
                .map((e) => e.outerHTML.slice(0, 100))""", column, parts)
        assert outside == [], path
    assert window.browser.execute_script("""
        const name = [...document.querySelectorAll('.row-name')].find((e) => e.textContent.includes('caves'));
        return name.scrollWidth > name.clientWidth && getComputedStyle(name).textOverflow""") == "ellipsis"


@pytest.mark.parametrize("width", [1280, 1000, 780])
def test_the_actions_below_the_categories_are_one_column(window, width):
    window.be_desktop(width, 800)
    window.open()
    places = window.browser.execute_script("""
        return ['load-big', 'reload', 'delete-all'].map((id) => {
            const e = document.getElementById(id);
            const text = document.createRange();
            text.selectNodeContents(e.lastChild);
            return [e.querySelector('svg').getBoundingClientRect().left, text.getBoundingClientRect().left,
                    getComputedStyle(e).textAlign];
        })""")
    assert len({tuple(place) for place in places}) == 1 and places[0][2] == "start", places


def test_touch_targets_on_a_phone_are_large_enough(phone):
    for path in ("", "animals", "animals/new"):
        phone.open(path)
        small = phone.browser.execute_script("""
            return [...document.querySelectorAll('a, button, select, input:not([type=hidden], [type=radio])')]
                .filter(e => e.checkVisibility() && !e.matches('.skip, .row-delete-button'))
                .map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect().height])
                .filter(([, height]) => height < 30)""")
        assert small == []


def test_everything_to_press_has_a_name(window):
    for path in ("", "animals", "animals/new", "categories/new"):
        window.open(path)
        nameless = window.browser.execute_script("""
            return [...document.querySelectorAll('a, button')]
                .filter(e => !(e.getAttribute('aria-label') || e.textContent).trim()).map(e => e.outerHTML)""")
        assert nameless == []
        fields = window.browser.execute_script("""
            return [...document.querySelectorAll('input:not([type=hidden]), select')]
                .filter(e => !e.labels?.length).map(e => e.outerHTML)""")
        assert fields == []


def visit_deleting(window, app, picture):
    """Goes through all that deleting shows."""
    assert app.request("POST", "/big-sample", {})[0] == 303
    window.open()
    window.wait(lambda: window.count == app.big_sample + 14 and window.work is None, "the big sample")
    window.choose_category("Beetle")
    window.click("#delete-category")
    window.find("dialog[open] .preview")
    picture("preview-category")
    window.press("\ue00c")
    name = window.names()[0]
    window.choose(name)
    window.click("#delete")
    window.find("dialog[open] .preview")
    picture("preview-animal")
    window.confirm()
    window.says(f"“{name}” deleted.")
    window.still()
    picture("undo")
    window.open()
    # The notice outlives the page. What it would cover on a phone makes room for it.
    window.click("#delete-all")
    window.find("dialog[open] .preview")
    picture("preview-all")
    window.confirm()
    window.work_is("deleting")
    window.wait(lambda: window.browser.execute_script(
        "const bar = document.querySelector('.work-bar'); return bar && bar.value / bar.max > 0.3"), "a third")
    # The delete must not be done before the button is pressed; the request waits for the app.
    with app.paused():
        picture("progress")
        window.click("#work-stop")
    window.work_is("stopped")
    window.still()
    picture("stopped")
    window.click("#work-resume")
    window.work_is("deleted")
    window.still()
    picture("deleted")


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width, height", [(1280, 800), (390, 844)])
def test_deleting(built, tmp_path, first_browser, screenshots, width, height, colours):
    app = AnimalsApp(tmp_path, big_sample=3_000, step=20)
    window = Window(first_browser, app)
    if width < 500:
        window.be_phone(width, height)
    else:
        window.be_desktop(width, height)
    window.be_dark(colours == "dark")

    def picture(name):
        kind = "phone" if width < 500 else "desktop"
        window.screenshot(screenshots / f"{kind}-{width}-{name}-{colours}.png")
        assert window.overflow() <= 0, name

    visit_deleting(window, app, picture)
    window.close()
    app.stop()
    assert app.process.returncode == 0, app.log.read_text()
