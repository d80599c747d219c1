"""`modelstore browse` in a real browser: looking at a store."""

import http.client

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import desktop_window, finish
from windows import Window


@pytest.fixture
def window(looking, first_browser):
    yield from desktop_window(first_browser, looking)


@pytest.fixture
def phone(looking, first_browser):
    window = Window(first_browser, looking)
    window.be_phone()
    yield window
    finish(window)


def cells(window, column):
    return window.browser.execute_script(
        "return [...document.querySelectorAll('td[data-label=\"' + arguments[0] + '\"]')].map(e => e.innerText)", column)


def test_from_entities_to_an_object_and_what_it_is_linked_to(window):
    window.open()
    assert window.find("main h1").text == "Recipes.store"
    window.named(".entities-table th a", "Cookbook").click()
    window.shows("Slow Sundays")
    window.find("tbody th a").click()
    window.wait(lambda: window.find("h1").text == "Slow Sundays", "the cookbook")
    window.named(".link a.button", "All 40").click()
    window.shows("1–40 of 40")
    window.find("tbody th a").click()
    window.shows("Links")
    window.named(".link a.object", "Slow Sundays").click()
    window.wait(lambda: window.find("h1").text == "Slow Sundays", "back at the cookbook")


def test_filter_sort_and_pages(window):
    window.open("rows/Recipe")
    window.shows("1–50 of 480")
    # The way to the filter from the keyboard.
    window.press("/")
    window.browser.switch_to.active_element.send_keys("minutes > 60 AND author.name BEGINSWITH 'Ada'", Keys.ENTER)
    window.wait(lambda: window.browser.find_elements(By.CSS_SELECTOR, "input[name=where][value*=minutes]"), "the filter")
    assert all(int(text) > 60 for text in cells(window, "minutes")) and len(cells(window, "minutes")) > 5
    window.named("thead a", "minutes").click()
    window.wait(lambda: cells(window, "minutes") == sorted(cells(window, "minutes"), key=int), "ascending")
    assert window.find("input[name=where]").get_attribute("value").startswith("minutes > 60")
    window.open("rows/Recipe")
    keys = cells(window, "minutes")
    window.find("[aria-label='Next page']").click()
    window.shows("51–100 of 480")
    assert "after=" in window.path
    window.find("[aria-label='Last page']").click()
    window.shows("451–480 of 480")
    window.find("[aria-label='Page before']").click()
    window.shows("401–450 of 480")
    window.find("[aria-label='First page']").click()
    window.shows("1–50 of 480")
    assert cells(window, "minutes") == keys


def test_a_filter_with_a_mistake_is_kept_and_explained(window):
    window.open("rows/Recipe?where=minutes%20%3E%3E%203")
    assert "Character" in window.find("[role=alert]").text
    assert window.find("input[name=where]").get_attribute("value") == "minutes >> 3"


def test_rows_are_chosen_and_planned(window):
    window.open("rows/Cookbook")
    assert window.visible(".selection") is None
    boxes = window.browser.find_elements(By.CSS_SELECTOR, "input[name=object]")
    boxes[0].click()
    boxes[2].click()
    assert window.find("[data-selected]").text == "2 rows"
    window.click(".selection button")
    window.shows("by cascade")
    assert window.find(".plan-box.asked .box-count").text == "2"
    assert window.find(".plan-box.goes") and window.find(".plan-box.stays")
    assert window.visible("form[method=post]") is None and "--write" in window.text


def test_what_stands_in_the_way_is_shown(window):
    window.open("rows/Cookbook?where=title%20%3D%3D%20%27The%20Green%20Table%27")
    window.find("input[name=object]").click()
    window.click(".selection button")
    window.shows("The model refuses this delete")
    assert window.find(".plan-box.blocks .box-name").text == "Menu"
    window.named(".card.blocks a.object", "Week 30").click()
    window.wait(lambda: window.find("h1").text == "Week 30", "the menu")


def test_the_list_of_a_plan_is_there_for_those_who_listen(window):
    window.open("plan?object=Cookbook%2Fp1")
    tree = window.browser.execute_script("""
        const tree = document.querySelector(".plan-tree");
        return [getComputedStyle(tree).display, tree.getBoundingClientRect().height]""")
    assert tree == ["block", 1]
    # Keyboard focus is visible on it.
    window.browser.execute_script("document.querySelector('.plan-tree a').focus()")
    assert window.find(".plan-tree .plan-item.asked").size["height"] > 30


def test_words_of_a_plan_stay_large_enough(window):
    for width in (1280, 1024, 900, 821):
        window.be_desktop(width, 800)
        window.open("plan?object=Cookbook%2Fp1")
        picture = window.visible(".plan-picture")
        if picture is None:
            assert width < 1000 and window.find(".plan-tree .plan-item.goes"), width
            continue
        scale = picture.size["width"] / float(picture.get_attribute("width"))
        assert 0.73 < scale <= 1, (width, scale)
        place = window.find(".picture")
        # What does not fit fades out, and can be reached.
        assert picture.size["width"] < place.size["width"] or "further" in place.get_attribute("class")
        assert window.overflow() == 0, width


def test_the_diagram_opens_at_its_beginning(window):
    # So low that the leftmost box is below, and others are in sight.
    window.be_desktop(1280, 420)
    window.open("model")
    place = window.browser.execute_script("""
        const place = document.querySelector(".diagram");
        return [place.scrollLeft, place.scrollTop]""")
    assert place == [0, 0]


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_pages_on_paper(window, screenshots, is_dark):
    window.be_desktop(720, 1000)
    features = [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]
    window.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    try:
        for path in ("rows/Recipe", "plan?object=Cookbook%2Fp1", "model", "history", "object/Recipe/p1", "entities"):
            window.open(path)
            window.find("h1")
            for hidden in (".rail", "button", "input", "[data-all]"):
                assert window.visible(hidden) is None, (path, hidden)
            assert window.overflow() == 0, path
            paper = window.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
            assert paper == "rgb(255, 255, 255)", path
            window.screenshot(screenshots / f"browse-paper-{path.split('?')[0].replace('/', '-')}-{is_dark}.png")
        window.open("rows/Recipe")
        assert window.find("thead th").is_displayed() and window.text.count("1–50 of 480") == 1
        window.open("plan?object=Cookbook%2Fp1")
        assert window.find(".plan-picture") and window.visible(".plan-tree") is None
    finally:
        window.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_the_head_of_an_answer_tells_its_length(looking):
    def length(method, path):
        connection = http.client.HTTPConnection("127.0.0.1", looking.port, timeout=10)
        connection.request(method, f"/{looking.token}/{path}")
        answer = connection.getresponse()
        found = (int(answer.headers["Content-Length"]), len(answer.read()))
        connection.close()
        return found

    for path in ("model", "static/browse.css"):
        whole = length("GET", path)
        assert whole[0] == whole[1] > 1000
        assert length("HEAD", path) == (whole[0], 0), path


def test_head_and_telling_value_stay_in_sight(window):
    window.open("rows/Recipe")
    window.find(".tall.further")
    inside = window.browser.execute_script("""
        const place = document.querySelector(".tall");
        place.scrollTo(place.scrollWidth, place.scrollHeight);
        const frame = place.getBoundingClientRect();
        const head = place.querySelector("thead th:last-child").getBoundingClientRect();
        const row = place.querySelector("tbody tr:last-child th").getBoundingClientRect();
        return [head.top >= frame.top && head.bottom < frame.bottom, row.left >= frame.left]""")
    assert inside == [True, True]
    window.wait(lambda: window.visible(".tall.further") is None, "no fade at the end")


WORDS = {"nil": ".nil", "type": ".type", "pager": ".pager [aria-disabled]", "count": ".rail .count", "footer": "footer a"}


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_quiet_words_can_be_read(window, is_dark):
    window.be_dark(is_dark)
    for path in ("rows/Recipe", "object/Recipe/p1"):
        window.open(path)
        poor = window.browser.execute_script("""
            const part = (value) => value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4;
            const light = (colour) => {
              const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(part);
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const behind = (element) => {
              for (let e = element; e; e = e.parentElement) {
                const colour = getComputedStyle(e).backgroundColor;
                if (!/, 0\\)$/.test(colour)) return colour;
              }
            };
            const poor = {};
            for (const [name, selector] of Object.entries(arguments[0])) {
              for (const element of document.querySelectorAll(selector)) {
                const pair = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => b - a);
                const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
                if (contrast < 4.5) poor[name] = contrast;
              }
            }
            const field = document.querySelector("input[name=where]");
            if (field) {
              const pair = [light(getComputedStyle(field, "::placeholder").color), light(behind(field))].sort((a, b) => b - a);
              if ((pair[0] + 0.05) / (pair[1] + 0.05) < 4.5) poor.placeholder = pair;
            }
            return poor""", WORDS)
        assert poor == {}, path


def test_diagram_leads_to_rows(window):
    window.open("model")
    window.named(".diagram text.title", "Ingredient").click()
    window.wait(lambda: window.path.endswith("/rows/Ingredient"), "rows of the ingredient")


def test_history_leads_to_what_was_changed(window):
    window.open("history")
    assert len(window.browser.find_elements(By.CSS_SELECTOR, ".save")) > 10
    window.find(".changes a").click()
    window.named("a.button", "History").click()
    window.shows("of ")
    assert 1 <= len(window.browser.find_elements(By.CSS_SELECTOR, ".save")) <= 4


def test_another_page_cannot_read_it(looking, window):
    status, text = looking.request("GET", "/")
    assert status == 403 and "Recipes" not in text
    status, _ = looking.request("GET", f"/{looking.token}/entities", {"Host": "evil.example"})
    assert status == 421
    status, _ = looking.request(
        "POST", f"/{looking.token}/do/delete", {"Origin": looking.url.split("/" + looking.token)[0]}, "plan=x")
    assert status == 403


def test_everything_can_be_read_without_scripts(window):
    window.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        for path, words in (("entities", "Cookbook"), ("rows/Recipe", "Roasted"), ("history", "#1"), ("model", "Model")):
            window.browser.get(window.app.url + path)
            assert words in window.browser.find_element(By.TAG_NAME, "main").text, path
    finally:
        window.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


VIEWS = {
    "entities": "entities", "rows": "rows/Recipe", "object": "object/Recipe/p1", "model": "model", "history": "history",
    "plan": "plan?object=Cookbook%2Fp1", "refused": "plan?object=Cookbook%2Fp2", "kept": "kept", "work": "work",
    "transaction": "history/2",
}


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("is_phone", [False, True], ids=["desktop", "phone"])
def test_no_view_is_wider_than_the_window(looking, first_browser, screenshots, is_phone, is_dark):
    window = Window(first_browser, looking)
    window.be_phone() if is_phone else window.be_desktop()
    window.be_dark(is_dark)
    for name, path in VIEWS.items():
        window.open(path)
        window.find("h1")
        assert window.overflow() == 0, name
        window.still()
        window.screenshot(screenshots / f"browse-{name}-{'phone' if is_phone else 'desktop'}-{'dark' if is_dark else 'light'}.png")
    finish(window)


def test_cards_on_a_phone_name_their_values(phone):
    phone.open("rows/Recipe")
    assert phone.visible("thead") is None
    label = phone.browser.execute_script(
        "return getComputedStyle(document.querySelector('td[data-label=minutes]'), '::before').content")
    assert label == '"minutes"'
    # Omitted entries are counted, with a link to them.
    assert "more" in phone.find("td.more a").text
    phone.find(".sorting summary").click()
    phone.find(".sorts a[aria-label='minutes, descending']").click()
    phone.wait(lambda: cells(phone, "minutes") == sorted(cells(phone, "minutes"), key=int, reverse=True), "descending")
    phone.find(".choices .all").click()
    assert phone.find("[data-selected]").text == "50 rows"
    phone.open("plan?object=Cookbook%2Fp1")
    assert phone.visible(".plan-picture") is None and phone.find(".plan-tree .plan-item.goes")


def test_a_tablet_shows_tables(window):
    window.be_desktop(768, 1024)
    for path in ("rows/Recipe", "entities", "kept"):
        window.open(path)
        window.find("h1")
        assert window.overflow() <= 0, path
    window.open("rows/Recipe")
    assert window.find("thead th a") and window.visible(".places [aria-current]").text == "Entities"
