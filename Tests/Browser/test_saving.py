"""Autosave, explicit save, discard, and what is left after the app was ended and started again."""

import signal

import pytest


def add(window, name):
    window.open()
    window.choose_category("Fish")
    window.click("#add-animal")
    window.fill(name, diet="Carnivore")
    window.submit()
    window.selects(name)


def test_autosave_keeps_changes_over_a_restart(window, app):
    add(window, "Eel")
    window.is_saved()
    window.swipe_by_mouse("Pike", 280)
    window.lists("Clownfish", "Eel")
    window.is_saved()
    app.restart()
    window.open()
    window.choose_category("Fish")
    window.lists("Clownfish", "Eel")


def test_without_autosave_only_a_save_keeps_changes(window, app):
    window.open()
    window.set_autosave(False)
    add(window, "Eel")
    assert "Unsaved changes" in window.state
    assert window.names(".row .unsaved-dot"), "The row says that it is not saved."
    window.click("#save")
    window.says("All changes saved.")
    window.is_saved()
    add(window, "Salmon")
    window.open_animal("Mammal", "Dog")
    window.click("#delete")
    window.confirm()
    window.lists("Cat", "Gibbon", "Kangaroo")
    said = app.restart()
    assert "unsaved changes were not kept" in said
    window.open()
    window.choose_category("Fish")
    window.lists("Clownfish", "Eel", "Pike")
    window.choose_category("Mammal")
    window.lists("Cat", "Dog", "Gibbon", "Kangaroo")


def test_switching_autosave_on_saves_what_waited(window, app):
    window.open()
    window.set_autosave(False)
    add(window, "Eel")
    window.set_autosave(True)
    window.is_saved()
    app.restart()
    window.open()
    window.choose_category("Fish")
    window.lists("Clownfish", "Eel", "Pike")


def test_discard_takes_everything_back(window):
    window.open()
    window.set_autosave(False)
    add(window, "Eel")
    window.open_animal("Fish", "Pike")
    window.click("#edit")
    window.fill("Northern pike")
    window.submit()
    window.selects("Northern pike")
    window.choose_category("Mammal")
    window.click("#delete-category")
    window.confirm()
    window.wait(lambda: "Mammal" not in window.names(".category-name"), "no Mammal")
    window.click("#discard")
    window.confirm()
    window.says("Unsaved changes discarded.")
    window.is_saved()
    window.choose_category("Mammal")
    window.lists("Cat", "Dog", "Gibbon", "Kangaroo")
    window.choose_category("Fish")
    window.lists("Clownfish", "Pike")


def test_discard_closes_an_animal_that_was_never_saved(window):
    window.open()
    window.set_autosave(False)
    add(window, "Eel")
    window.click("#discard")
    window.confirm()
    window.selects_nothing()
    window.lists("Clownfish", "Pike")


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_app_in_order(app, signal_number):
    """Even with a window listening for changes, the app ends by itself and with success."""
    import http.client
    listening = http.client.HTTPConnection("127.0.0.1", app.port, timeout=10)
    listening.request("GET", "/events")
    assert listening.getresponse().status == 200
    app.stop(signal_number)
    assert app.process.returncode == 0, app.log.read_text()
    app.start()
