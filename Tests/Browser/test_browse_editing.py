"""`modelstore browse --write` in a real browser: values are edited in place, reviewed, saved, and undone."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import desktop_window


@pytest.fixture
def window(writing, first_browser):
    yield from desktop_window(first_browser, writing)


def value(app, name, path="object/Recipe/p1"):
    return app.json(f"{path}.json")["attributes"][name]


def type_into(window, name, text):
    field = window.find(f"[name='{name}']")
    field.clear()
    field.send_keys(text)
    return field


def test_a_value_is_edited_in_place_and_undone(writing, window):
    before = value(writing, "minutes")
    window.open("object/Recipe/p1")
    window.find("[aria-label='Edit minutes']").click()
    field = window.find(".editing [name='value:minutes']")
    assert window.browser.switch_to.active_element == field
    # Given up, the value stands there again.
    field.send_keys(Keys.ESCAPE)
    window.wait(lambda: window.visible(".editing") is None, "the value")
    window.find("[aria-label='Edit minutes']").click()
    type_into(window, "value:minutes", "123")
    window.find(".editing .primary").click()
    window.shows("in one transaction")
    assert window.find(".diff .old").text == str(before) and window.find(".diff .new").text == "123"
    assert value(writing, "minutes") == before and writing.files == ["Recipes.store"]
    window.click("[data-action=save]")
    window.wait(lambda: window.path.endswith("/object/Recipe/p1"), "the row again")
    window.shows("Changed minutes of")
    assert value(writing, "minutes") == 123
    assert len([name for name in writing.files if "-backup-" in name]) == 1
    window.click(".work-bar [data-action=undo]")
    window.wait(lambda: value(writing, "minutes") == before, "the value of before")
    window.wait(lambda: window.path.endswith("/object/Recipe/p1"), "the row again")


def test_a_cell_is_edited_in_its_listing(writing, window):
    window.open("rows/Recipe?sort=title")
    cell = window.find("td[data-label=minutes]")
    row = cell.find_element(By.XPATH, "./..").find_element(By.CSS_SELECTOR, "input[name=object]").get_attribute("value")
    ActionChains(window.browser).double_click(cell).perform()
    type_into(window, "value:minutes", "321")
    window.find("dialog .primary").click()
    window.click("[data-action=save]")
    window.shows("Changed minutes of")
    assert value(writing, "minutes", f"object/{row}") == 321


def test_what_is_wrong_is_told_beside_its_field(writing, window):
    window.open("object/Cookbook/p1/edit")
    type_into(window, "value:year", "MMXX")
    window.click(".edit .primary")
    field = window.find("[name='value:year']")
    assert field.get_attribute("value") == "MMXX" and field.get_attribute("aria-invalid") == "true"
    problem = window.browser.find_element(By.ID, field.get_attribute("aria-describedby"))
    assert "'Cookbook.year' takes a whole number" in problem.text
    type_into(window, "value:year", "2020")
    type_into(window, "value:title", "The Green Table")
    window.click(".edit .primary")
    window.shows("must be unique")


def test_nil_is_chosen_by_a_box_that_typing_clears(writing, window):
    window.open("object/Cookbook/p1/edit?only=publisher")
    box = window.find("[name='nil:publisher']")
    if box.is_selected():
        type_into(window, "value:publisher", "Quince Press")
        assert not box.is_selected()
        window.click(".edit .primary")
        window.click("[data-action=save]")
        window.shows("Changed publisher")
        assert value(writing, "publisher", "object/Cookbook/p1") == "Quince Press"
        window.open("object/Cookbook/p1/edit?only=publisher")
        box = window.find("[name='nil:publisher']")
    box.click()
    window.click(".edit .primary")
    window.click("[data-action=save]")
    window.shows("Changed publisher")
    assert value(writing, "publisher", "object/Cookbook/p1") is None


def test_a_link_is_found_by_typing_and_the_arrow_keys(writing, window):
    window.open("object/Recipe/p1/edit?only=cookbook")
    field = window.find("[name='to:cookbook']")
    assert "(Cookbook/p1)" in field.get_attribute("value")
    field.clear()
    field.send_keys("green")
    window.wait(lambda: "The Green Table" in window.names(".options [role=option] bdi"), "a suggestion")
    field.send_keys(Keys.ARROW_DOWN)
    active = field.get_attribute("aria-activedescendant")
    assert window.browser.find_element(By.ID, active).get_attribute("aria-selected") == "true"
    field.send_keys(Keys.ENTER)
    window.wait(lambda: field.get_attribute("value").startswith("The Green Table (Cookbook/"), "the choice")
    assert field.get_attribute("aria-expanded") == "false"
    window.click(".edit .primary")
    window.shows("Changes with it")
    window.click("[data-action=save]")
    window.shows("Changed cookbook of")
    assert window.named(".link", "cookbook").find_element(By.CSS_SELECTOR, "a.object").text.startswith("The Green Table")


def test_forms_work_without_scripts(writing, window):
    before = value(writing, "minutes")

    def present(selector):
        return window.wait(lambda: next(iter(window.browser.find_elements(By.CSS_SELECTOR, selector)), None), selector)

    window.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        window.browser.get(writing.url + "object/Recipe/p1")
        present("[aria-label='Edit minutes']").click()
        field = present("[name='value:minutes']")
        field.clear()
        field.send_keys("55")
        present(".edit .primary").click()
        present("[data-action=save]").click()
    finally:
        window.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    window.wait(lambda: value(writing, "minutes") == 55 != before, "the value")


def test_an_impossible_plan_leads_to_one_with_what_blocks_it(writing, window):
    window.open("plan?object=Cookbook%2Fp2")
    window.shows("The model refuses this delete.")
    window.find(".confirm a.primary").click()
    window.shows("would be deleted")
    window.click("[data-action=delete]")
    window.shows("Deleted 1")
