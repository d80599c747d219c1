"""Whatever is asked for or typed in, the answer is a clear message."""

import base64
import json
from urllib.parse import quote

import pytest


def animal_path(app, name):
    _, page, _ = app.request("GET", "/animals")
    return page.split(f">{name}</span>")[0].rsplit('<a class="row-face" href="', 1)[1].split('"')[0].split("?")[0]


def category_key(app, name):
    _, page, _ = app.request("GET", "/animals/new")
    return page.split(f">{name}</option>")[0].rsplit('value="', 1)[1].split('"')[0]


def category_path(app, name):
    return "/categories/" + quote(category_key(app, name), safe="")


@pytest.mark.parametrize("name", ["", "   ", "\u00a0\t"])
def test_an_animal_needs_a_name(window, name):
    window.open()
    window.choose_category("Bird")
    window.click("#add-animal")
    window.fill(name, diet="Carnivore")
    window.skip_checks_of_browser()
    window.submit()
    window.shows("Please enter a name.")
    assert window.find("input[name=name]").get_attribute("aria-invalid") == "true"
    window.fill("Wren")
    window.submit()
    window.selects("Wren")


def test_a_duplicate_category_name_is_refused(window, app):
    window.open()
    window.click("#add-category")
    window.fill("bird ")
    window.submit()
    window.shows("There is already a category called “Bird”. Please choose another name.")
    assert window.find("input[name=name]").get_attribute("value") == "bird "
    assert app.request("POST", "/categories/new", {"name": "Bird"})[0] == 409
    place = category_path(app, "Mammal")
    assert app.request("POST", f"{place}/edit", {"name": "Bird"})[0] == 409
    assert app.request("POST", f"{place}/edit", {"name": "MAMMAL"})[0] == 303
    window.open()
    assert window.names(".category-count") == ["14", "2", "2", "2", "2", "4", "2"]


@pytest.mark.parametrize("fields, message", [
    ({"name": "x" * 81}, "at most 80 characters"),
    ({"name": "e" + "\u0301" * 1000}, "at most 80 characters"),
    ({"diet": "Stones"}, "Please choose what the animal eats."),
    ({"diet": ""}, "Please choose what the animal eats."),
    ({"category": ""}, "Please choose a category."),
    ({"category": "nonsense"}, "Please choose a category."),
])
def test_a_form_that_cannot_be_is_shown_again(app, fields, message):
    whole = {"name": "Wren", "diet": "Carnivore", "category": category_key(app, "Bird"), **fields}
    for path in ("/animals/new", f"{animal_path(app, 'Dog')}/edit"):
        status, page, _ = app.request("POST", path, whole)
        assert status == 422
        assert message in page
    assert len(app.request("GET", "/animals")[1].split('class="row-name"')) - 1 == 14


def test_a_form_keeps_what_was_typed(window):
    window.open()
    window.choose_category("Bird")
    window.click("#add-animal")
    window.fill("x" * 20, category="Fish", diet="Herbivore")
    window.browser.execute_script("document.querySelector('[name=diet]:checked').value = 'Stones'")
    window.submit()
    window.shows("Please choose what the animal eats.")
    assert window.find("input[name=name]").get_attribute("value") == "x" * 20
    assert window.browser.execute_script(
        "return document.querySelector('[name=category]').selectedOptions[0].text") == "Fish"


def old_key(key, entity="Animal", store="00000000-0000-0000-0000-000000000000"):
    """A key as earlier versions made it: base64 of an identifier's JSON."""
    value = {"implementation": {
        "primaryKey": key, "uriRepresentation": f"x-coredata://{store}/{entity}/{key}", "isTemporary": False,
        "storeIdentifier": store, "entityName": entity}}
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize("key", [
    "1", "new2", "%00", "..", "%2e%2e%2f", "x" * 5000, "💥", old_key("p1"), "unsaved-1." + old_key("t1"),
    "x-coredata://", "x-coredata:///Animal/t1", "x-coredata:///Animal/p1", "x-coredata://STORE/Animal",
    "x-coredata://STORE/Animal/p999999", "x-coredata://STORE/Animal/p-1", "x-coredata://STORE/Animal/p",
    "x-coredata://STORE/Animal/p99999999999999999999999999", "x-coredata://STORE/Nothing/p1",
    "x-coredata://STORE/AnimalCategory/p1", "x-coredata://STORE/Animal/p1/p1", "https://STORE/Animal/p1",
    "x-coredata://00000000-0000-0000-0000-000000000000/Animal/p1",
], ids=lambda key: key[:60].encode("unicode_escape").decode())
def test_an_unknown_animal_gives_a_clear_page(app, key):
    store = category_key(app, "Bird").split("/")[2]
    place = "/animals/" + quote(key.replace("STORE", store), safe="%.-_")
    for method, path in (("GET", place), ("GET", f"{place}/edit"), ("GET", f"{place}/delete"),
                         ("POST", f"{place}/delete"), ("POST", f"{place}/edit")):
        status, page, _ = app.request(method, path, {"name": "a"} if method == "POST" else None)
        assert status == 404, (method, path[:80], status)
        assert "no longer here" in page or "no page at this address" in page


def test_an_identifier_of_the_other_kind_is_not_found(app):
    key = category_key(app, "Bird")
    assert app.request("GET", category_path(app, "Bird"))[0] == 200
    status, page, _ = app.request("GET", "/animals/" + quote(key, safe=""))
    assert status == 404 and "This animal is no longer here." in page


def test_an_unknown_category_gives_a_clear_page(app):
    for method, path in (("GET", "/categories/x"), ("POST", "/categories/x/delete"), ("POST", "/categories/x/edit")):
        status, page, _ = app.request(method, path, {"name": "a"} if method == "POST" else None)
        assert status == 404 and "This category is no longer here." in page


def test_deleting_twice_is_reported(app):
    path = animal_path(app, "Dog")
    assert app.request("POST", f"{path}/delete", {})[0] == 303
    status, page, _ = app.request("POST", f"{path}/delete", {})
    assert status == 404 and "deleted in another window" in page


def test_a_second_window_deleting_the_same_animal_is_reported(window, app):
    """The second window has not heard of the first deletion yet when its user confirms."""
    path = animal_path(app, "Dog")
    window.open_animal("Mammal", "Dog")
    window.click("#delete")
    window.find("dialog[open]")
    window.browser.execute_script("refresh = async () => {}; receive = () => {}; leave = () => false;")
    assert app.request("POST", f"{path}/delete", {})[0] == 303
    window.confirm()
    window.says("This animal is no longer here. It may have been deleted in another window.")


def test_saving_an_animal_deleted_meanwhile_is_reported(app):
    path = animal_path(app, "Dog")
    app.request("POST", f"{path}/delete", {})
    status, page, _ = app.request("POST", f"{path}/edit", {"name": "Wolf", "diet": "Carnivore"})
    assert status == 404 and "This animal is no longer here." in page
    assert 'action="/animals/new"' in page and 'value="Wolf"' in page, "What was typed can be added as a new animal."


def test_saving_a_category_deleted_meanwhile_is_reported(app):
    place = category_path(app, "Bird")
    app.request("POST", f"{place}/delete", {})
    status, page, _ = app.request("POST", f"{place}/edit", {"name": "Feathered"})
    assert status == 404 and "This category is no longer here." in page
    assert 'action="/categories/new"' in page and 'value="Feathered"' in page


@pytest.mark.parametrize("body, headers, status", [
    ("name=%", {}, 400),
    ("name=%ff%fe", {}, 400),
    ("a" * 20_000, {}, 413),
    ('{"name": "x"}', {"Content-Type": "application/json"}, 415),
    ("name=x", {"Content-Type": None}, 415),
    ("", {}, 422),
    ("&&==&name", {}, 422),
    ("name[a][b]=1&name=&name[]=2", {}, 422),
], ids=["percent", "not-utf8", "large", "json", "untyped", "empty", "ragged", "brackets"])
def test_a_body_that_is_no_form_is_refused(app, body, headers, status):
    answer, page, _ = app.request("POST", "/categories/new", body=body, headers=headers)
    assert answer == status
    assert "<h1>" in page


def test_other_paths_and_methods_are_not_found(app):
    for method, path in (("GET", "/nothing"), ("GET", "/static/../Package.swift"), ("GET", "/static/%2e%2e%2fx"),
                         ("DELETE", "/animals"), ("PUT", "/"), ("GET", "//"), ("GET", "/animals/a/b/c/d")):
        status, page, _ = app.request(method, path)
        assert status in (400, 404) or (status == 200 and path == "//"), (method, path, status)


def test_many_requests_at_once(app):
    """Everybody deletes the same animals while others are added: each request gets an answer that fits."""
    from concurrent.futures import ThreadPoolExecutor
    victims = [animal_path(app, name) for name in ("Dog", "Cat", "Newt", "Pike")]
    bird = category_key(app, "Bird")

    def visitor(number):
        answers = [app.request("POST", f"{path}/delete", {})[0] for path in victims]
        added = app.request("POST", "/animals/new", {"name": f"Wren {number}", "diet": "Carnivore", "category": bird})
        looked = app.request("GET", "/animals")[0]
        return answers, added[0], looked

    with ThreadPoolExecutor(12) as pool:
        visits = list(pool.map(visitor, range(36)))
    for index in range(len(victims)):
        assert sorted(answers[index] for answers, _, _ in visits) == [303] + [404] * 35
    assert {(added, looked) for _, added, looked in visits} == {(303, 200)}
    assert app.request("GET", "/animals")[1].count('class="row-name"') == 10 + 36
