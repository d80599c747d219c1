"""The pages on a phone and on a desktop, light and dark; the screenshots are for looking at."""

import pytest

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
