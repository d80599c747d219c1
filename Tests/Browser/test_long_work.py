"""Very many animals: loading them, pages of them, deleting all with a bar that can be stopped, resumed and undone."""

import re
import time

import pytest

from animals_app import BIG_SAMPLE, AnimalsApp
from windows import Window

ALL = BIG_SAMPLE + 14


def work(app):
    """Identifier and phase of the long task, without a browser."""
    found = re.search(r'data-work="([^"]+)" data-phase="([^"]+)"', app.request("GET", "/")[1])
    return found.groups() if found else (None, None)


def wait_for(app, *phases):
    ends = time.monotonic() + 20
    while time.monotonic() < ends:
        found, phase = work(app)
        if phase in phases:
            return found
    raise AssertionError(f"The long task is {phase} instead of {phases}.")


def load(app):
    assert app.request("POST", "/big-sample", {})[0] == 303
    wait_for(app, None)


def counted(app):
    page = app.request("GET", "/")[1]
    return int(page.split('class="category-count" data-count="all">')[1].split("<")[0].replace(",", ""))


def delete_all(window):
    window.click("#delete-all")
    window.confirm()
    window.work_is("deleting", "deleted")


def delete_some(window):
    """Deletes all and presses Stop as soon as the bar has moved, which a person is not always fast enough for."""
    window.browser.execute_script("""
        new MutationObserver((_, observer) => {
            if (!(document.querySelector('[data-phase=deleting] progress')?.value > 0)) return;
            observer.disconnect();
            document.querySelector('#work-stop').click();
        }).observe(document.body, { subtree: true, childList: true, attributes: true });""")
    window.click("#delete-all")
    window.confirm()
    window.work_is("stopped")


def test_loading_shows_progress_and_every_window_follows(window, other_window):
    other_window.open("animals")
    window.open()
    window.load_big_sample()
    assert window.count == ALL
    other_window.wait(lambda: other_window.count == ALL, "the animals in the other window")
    other_window.shows("3,014 animals")
    assert window.names(".category-name").count("Beetle") == 1
    window.choose_category("Beetle")
    window.shows("300 animals")


def natural_order(name):
    """A sort key that compares numbers in names by value."""
    return [int(part) if part.isdigit() else part.casefold() for part in re.split(r"(\d+)", name)]


def test_a_list_is_shown_in_pages(window):
    window.open()
    window.load_big_sample()
    window.open("animals")
    first = window.names()
    assert len(first) == 100 and first == sorted(first, key=natural_order)
    window.shows("1–100 of 3,014")
    assert not window.visible("#previous-page")
    window.click("#next-page")
    window.shows("101–200 of 3,014")
    second = window.names()
    assert len(second) == 100 and not set(first) & set(second)
    window.choose(second[3])
    window.shows("101–200 of 3,014")
    window.click("#delete")
    window.confirm()
    window.lacks(second[3])
    window.shows("101–200 of 3,013")
    window.open("animals?page=31")
    assert len(window.names()) == 13
    assert not window.visible("#next-page")


@pytest.mark.parametrize("page", ["0", "-1", "x", "99999999999999999999", "1e3", ""])
def test_a_page_that_is_not_there(app, page):
    status, text, _ = app.request("GET", f"/animals?page={page}")
    assert status == 200 and text.count('class="row-name"') == 14


def test_delete_all_can_be_stopped_and_resumed_and_undone(window, other_window):
    window.open()
    window.load_big_sample()
    other_window.open()
    delete_some(window)
    left = window.count
    assert 0 < left < ALL, "It stopped on the way."
    assert re.search(r"[\d,]+ of 3,030 deleted, [\d,]+ left", window.text)
    other_window.work_is("stopped")
    other_window.wait(lambda: other_window.count == left, "the number of animals in the other window")
    other_window.click("#work-resume")
    window.work_is("deleted")
    window.wait(lambda: window.count == 0, "no animals")
    window.shows("3,030 animals and categories deleted.")
    window.click("#work-undo")
    window.work_is("restored")
    window.wait(lambda: window.count == ALL, "everything back")
    other_window.wait(lambda: other_window.count == ALL, "everything back in the other window")
    window.choose_category("Mammal")
    window.lists("Cat", "Dog", "Gibbon", "Kangaroo")


def test_the_bar_moves_and_the_numbers_change_in_every_window(window, other_window):
    window.open()
    window.load_big_sample()
    other_window.open()
    other_window.browser.execute_script("""
        window.seen = new Set();
        window.counts = new Set();
        new MutationObserver(() => {
            const bar = document.querySelector('[data-phase=deleting] progress');
            if (bar) seen.add(bar.value);
            counts.add(document.querySelector('.category-count').textContent);
        }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });""")
    delete_all(window)
    other_window.work_is("deleted")
    other_window.wait(lambda: other_window.count == 0, "no animals")
    seen, counts = other_window.browser.execute_script("return [[...seen], [...counts]]")
    assert len(seen) > 5, "The bar moves."
    assert seen == sorted(seen), "The bar moves in one direction."
    assert len(counts) > 2, "The numbers change meanwhile."


def test_what_a_stopped_delete_took_is_undone(window, app):
    window.open()
    window.load_big_sample()
    delete_some(window)
    window.click("#work-undo")
    window.work_is("restored")
    window.wait(lambda: window.count == ALL, "everything back")
    app.restart()
    window.open()
    assert window.count == ALL and window.work is None, "Nothing is left to resume."


def test_a_stopped_delete_can_be_left_as_is(window, app):
    window.open()
    window.load_big_sample()
    delete_some(window)
    left = window.count
    window.click("#work-dismiss")
    window.wait(lambda: window.work is None, "no bar")
    assert window.count == left
    app.restart()
    window.open()
    assert window.count == left and window.work is None


@pytest.mark.parametrize("choice", ["resume", "undo", "dismiss"])
def test_a_delete_survives_a_restart_of_the_app(window, app, choice):
    window.open()
    window.load_big_sample()
    assert app.request("POST", "/delete-all", {})[0] == 303
    window.wait(lambda: counted(app) < ALL, "the first step")
    app.restart()
    window.open()
    window.shows("A delete was interrupted")
    left = window.count
    assert 0 < left < ALL
    window.click(f"#work-{choice}")
    if choice == "dismiss":
        window.wait(lambda: window.work is None, "no bar")
    else:
        window.work_is({"resume": "deleted", "undo": "restored"}[choice])
    expected = {"resume": 0, "undo": ALL, "dismiss": left}[choice]
    window.wait(lambda: window.count == expected, f"{expected} animals instead of {window.count}")


def test_loading_and_deleting_can_be_stopped_by_hand(built, tmp_path, first_browser):
    app = AnimalsApp(tmp_path, big_sample=500_000, step=50)
    window = Window(first_browser, app)
    window.be_desktop()
    window.open()
    window.click("#load-big")
    window.wait(lambda: window.count > 20_000, "some animals")
    window.click("#work-stop")
    window.wait(lambda: window.work is None, "the end of loading")
    loaded = window.count
    assert 20_000 < loaded < 500_000
    delete_all(window)
    window.click("#work-stop")
    window.work_is("stopped")
    assert 0 < window.count < loaded
    window.close()
    app.stop()
    assert app.process.returncode == 0, app.log.read_text()


def test_a_big_category_goes_in_steps_and_comes_back(built, tmp_path):
    app = AnimalsApp(tmp_path, big_sample=25_000)
    load(app)
    page = app.request("GET", "/")[1]
    path = re.search(r'href="(/categories/[^"]+)" data-focus="[^"]*" ?>(?:(?!</a>).)*?>Beetle<', page).group(1)
    _, page, _ = app.request("GET", f"{path}/delete")
    assert '<span class="preview-count">2,500</span> animals' in page and "and 2,497 more" in page
    assert app.request("POST", f"{path}/delete", {})[0] == 303
    found = wait_for(app, "deleted")
    assert counted(app) == 22_514
    assert app.request("POST", "/task/undo", {"id": found})[0] == 303
    wait_for(app, "restored")
    assert counted(app) == 25_014
    assert "2,501 animals and categories are back." in app.request("GET", "/")[1], "Without the script, too."
    app.stop()
    assert app.process.returncode == 0, app.log.read_text()


def test_a_bar_and_the_numbers_beside_it_agree_at_every_moment(window, other_window):
    """Of a delete of everything: what is deleted and what is left add up, in the sidebar and in the list."""
    window.open()
    window.load_big_sample()
    other_window.open("animals")
    other_window.browser.execute_script("""
        const number = (text) => Number(text.replace(/,/g, ''));
        window.moments = [];
        new MutationObserver(() => {
            const bar = document.querySelector('[data-phase=deleting] progress');
            if (!bar) return;
            const counts = [...document.querySelectorAll('.category-count')].map((e) => number(e.textContent));
            const words = document.querySelector('[data-work-text]').textContent.match(/[\\d,]+/g).map(number);
            moments.push({ deleted: bar.value, words, all: counts[0], categories: counts.slice(1),
                           listed: number(document.querySelector('.summary').textContent.split(' ')[0]) });
        }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });""")
    delete_all(window)
    other_window.work_is("deleted")
    moments = other_window.browser.execute_script("return moments")
    assert len({moment["all"] for moment in moments}) > 3, "The numbers change meanwhile."
    for moment in moments:
        assert sum(moment["categories"]) == moment["all"] == moment["listed"], moment
        assert moment["words"][0] == moment["deleted"], moment
        # The categories go last.
        assert 3_030 - moment["deleted"] - moment["all"] in ([16] if moment["all"] else range(17)), moment


def test_loading_counts_what_is_in_the_list(window):
    window.open()
    window.browser.execute_script("""
        window.moments = [];
        new MutationObserver(() => {
            const bar = document.querySelector('[data-phase=loading] progress');
            if (bar) moments.push([bar.value, document.querySelector('.category-count').textContent]);
        }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });""")
    window.load_big_sample()
    moments = window.browser.execute_script("return moments")
    assert moments and all(int(count.replace(",", "")) == loaded + 14 for loaded, count in moments), moments


def is_off(window, selector):
    """Whether a button or link can be seen and not be used: by a mouse, by a key, or by following its address."""
    return window.browser.execute_script("""
        const e = document.querySelector(arguments[0]);
        return e.checkVisibility() && (e.disabled || (e.getAttribute('aria-disabled') === 'true' && !e.href))""", selector)


BUTTONS = ("#load-big", "#reload", "#delete-all")


def test_what_cannot_be_started_while_a_task_runs_is_off(built, tmp_path, first_browser):
    app = AnimalsApp(tmp_path, big_sample=30_000, step=50)
    window = Window(first_browser, app)
    window.be_desktop()
    window.open()
    assert [is_off(window, button) for button in BUTTONS] == [False] * 3
    window.load_big_sample()
    delete_all(window)
    window.wait(lambda: all(is_off(window, button) for button in BUTTONS), "buttons that are off")
    _, page, _ = app.request("GET", "/")
    assert 'href="/delete-all"' not in page and 'href="/sample-data"' not in page, "Without the script, too."
    window.click("#work-stop")
    window.work_is("stopped")
    window.wait(lambda: not any(is_off(window, button) for button in BUTTONS), "buttons that are on")
    window.close()
    app.stop()
    assert app.process.returncode == 0, app.log.read_text()


def category_path(app, name):
    found = re.search(rf'href="(/categories/[^"]+)" data-focus="[^"]*" ?>(?:(?!</a>).)*?>{name}<', app.request("GET", "/")[1])
    return found and found.group(1)


def test_a_big_category_cannot_be_deleted_while_a_task_runs(built, tmp_path):
    """A small one can: that is no long task."""
    app = AnimalsApp(tmp_path, big_sample=500_000)
    assert app.request("POST", "/big-sample", {})[0] == 303
    found = wait_for(app, "loading")
    ends = time.monotonic() + 20
    while counted(app) < 21_000:
        assert time.monotonic() < ends and work(app)[1] == "loading", work(app)
    big, small = category_path(app, "Beetle"), category_path(app, "Bird")
    assert f'href="{big}/delete"' not in app.request("GET", big)[1]
    assert f'href="{small}/delete"' in app.request("GET", small)[1]
    assert app.request("POST", "/task/stop", {"id": found})[0] == 303
    wait_for(app, None)
    assert f'href="{big}/delete"' in app.request("GET", big)[1]
    app.stop()
    assert app.process.returncode == 0, app.log.read_text()


def test_a_button_pressed_twice_sends_one_request(window):
    window.open()
    window.browser.execute_script("""
        const send = window.fetch;
        window.posts = 0;
        window.fetch = (address, options) => { if (options?.method === 'POST') posts += 1; return send(address, options); };
        const button = document.querySelector('#load-big');
        button.click(); button.click();""")
    window.wait(lambda: window.count == ALL and window.work is None, "the big sample")
    assert window.browser.execute_script("return posts") == 1
    assert not window.names(".toast.is-problem")


def test_the_undo_of_a_long_delete_says_when_it_is_done(window, other_window):
    window.open()
    window.load_big_sample()
    other_window.open()
    delete_all(window)
    window.work_is("deleted")
    window.click("#work-undo")
    window.work_is("restored")
    for each in (window, other_window):
        each.shows("3,030 animals and categories are back.")
    assert window.browser.execute_script("return document.querySelector('#announcement').textContent") == "Restored"
    other_window.click("#work-dismiss")
    window.wait(lambda: window.work is None, "no bar")


# What cannot be

def test_only_one_long_task_at_a_time(app):
    load(app)
    assert app.request("POST", "/delete-all", {})[0] == 303
    for method, path in (("POST", "/delete-all"), ("POST", "/big-sample"), ("POST", "/sample-data"),
                         ("GET", "/delete-all"), ("GET", "/sample-data")):
        status, page, _ = app.request(method, path, {} if method == "POST" else None)
        assert status == 409 and "Another task is running." in page
    wait_for(app, "deleted")
    assert counted(app) == 0


def test_what_is_over_cannot_be_stopped_or_resumed(app):
    load(app)
    app.request("POST", "/delete-all", {})
    found = wait_for(app, "deleted")
    for action in ("stop", "resume"):
        status, page, _ = app.request("POST", f"/task/{action}", {"id": found})
        assert status == 409 and "This task has already ended." in page
    assert app.request("POST", "/task/dismiss", {"id": found})[0] == 303
    for action in ("stop", "resume", "undo", "dismiss"):
        for known in (found, "", "x", "<b>", "00000000-0000-0000-0000-000000000000"):
            status, page, _ = app.request("POST", f"/task/{action}", {"id": known})
            assert status == 409 and "This task has already ended." in page


def test_a_second_window_says_that_it_is_over(window, app):
    load(app)
    window.open()
    delete_all(window)
    window.work_is("deleted")
    window.browser.execute_script("receive = () => {};")
    assert app.request("POST", "/task/undo", {"id": work(app)[0]})[0] == 303
    wait_for(app, "restored")
    window.click("#work-undo")
    window.says("This task has already ended.")


def test_nothing_to_delete(window):
    window.open()
    delete_all(window)
    window.work_is("deleted")
    window.click("#work-dismiss")
    window.wait(lambda: window.work is None, "no bar")
    window.shows("No categories yet.")
    assert is_off(window, "#delete-all") and not is_off(window, "#reload")
    window.browser.execute_script("document.querySelector('#delete-all').click()")
    assert window.path == "/" and not window.visible("dialog[open]")
    _, page, _ = window.app.request("GET", "/delete-all")
    assert "There is nothing to delete" in page and 'id="confirm" disabled' in page
    assert window.app.request("POST", "/delete-all", {})[0] == 409


def test_unsaved_changes_come_first(window, app):
    window.open()
    window.set_autosave(False)
    window.open_animal("Fish", "Pike")
    window.click("#edit")
    window.fill("Northern pike")
    window.submit()
    window.selects("Northern pike")
    window.click("#delete-all")
    window.says("There are unsaved changes. Save or discard them first.")
    assert app.request("POST", "/delete-all", {})[0] == 409
    window.click("#save")
    window.is_saved()
    delete_all(window)
    window.work_is("deleted")
    window.click("#work-undo")
    window.wait(lambda: window.count == 14, "everything back")


def test_undo_of_everything_says_when_a_name_was_taken_since(app):
    app.request("POST", "/delete-all", {})
    found = wait_for(app, "deleted")
    assert app.request("POST", "/categories/new", {"name": "Bird"})[0] == 303
    assert app.request("POST", "/task/undo", {"id": found})[0] == 303
    wait_for(app, "deleted")
    page = app.request("GET", "/")[1]
    assert "Nothing was restored." in page
    assert counted(app) == 0


def test_windows_let_go_of_an_animal_of_a_deleted_collection(window, app):
    window.open_animal("Mammal", "Dog")
    assert app.request("POST", "/delete-all", {})[0] == 303
    window.selects_nothing()
    window.work_is("deleted")


def test_others_are_served_while_all_is_deleted(app):
    """Animals are looked at, deleted and added meanwhile; each request gets an answer that fits."""
    from concurrent.futures import ThreadPoolExecutor
    load(app)
    page = app.request("GET", "/animals")[1]
    paths = re.findall(r'class="row-face" href="(/animals/[^"?]+)', page)[:40]
    assert app.request("POST", "/delete-all", {})[0] == 303

    def visitor(path):
        return (app.request("GET", "/")[0], app.request("GET", path)[0], app.request("POST", f"{path}/delete", {})[0],
                app.request("GET", "/animals?page=2")[0])

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(visitor, paths))
    assert {look for look, _, _, _ in answers} == {200} and {page for _, _, _, page in answers} == {200}
    assert {animal for _, animal, _, _ in answers} <= {200, 404}
    assert {delete for _, _, delete, _ in answers} <= {303, 404}
    wait_for(app, "deleted")
    assert counted(app) == 0
