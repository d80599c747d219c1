"""Only this machine and the app's own pages may change anything, and text stays text."""

import socket

import pytest

HOSTILE_NAMES = [
    "<script>document.title='taken'</script>",
    "\"><img src=x onerror=\"document.title='taken'\">",
    "' onfocus='document.title=`taken`' autofocus='",
    "\"\u0308 autofocus onfocus=\"document.title='taken'",
    "{{name}} {{{name}}} </textarea></option></select>",
    "&lt;b&gt; &amp; \u202eabc",
]


@pytest.mark.parametrize("headers", [
    {"Origin": "http://example.com"},
    {"Origin": "null"},
    {"Origin": None},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "https://127.0.0.1"},
    {"Origin": None, "Sec-Fetch-Site": "cross-site"},
    {"Origin": None, "Sec-Fetch-Site": "same-site"},
    {"Origin": None, "Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site"},
], ids=str)
def test_a_change_from_elsewhere_is_refused(app, headers):
    for path in ("/categories/new", "/sample-data", "/saving", "/save", "/discard", "/animals/new",
                 "/undo", "/big-sample", "/delete-all", "/task/stop", "/task/resume", "/task/undo", "/task/dismiss"):
        status, page, _ = app.request("POST", path, {"name": "Stranger"}, headers=headers)
        assert status == 403
        assert "Animals accepts changes only from its own pages." in page
    assert "Stranger" not in app.request("GET", "/")[1]


def test_a_change_from_here_is_accepted(app):
    assert app.request("POST", "/categories/new", {"name": "A"})[0] == 303
    assert app.request("POST", "/categories/new", {"name": "B"},
                       headers={"Origin": None, "Sec-Fetch-Site": "same-origin"})[0] == 303


def test_a_form_on_another_site_is_refused(window, app, tmp_path):
    """In a real browser, from a page of another origin."""
    page = tmp_path / "other.html"
    page.write_text(f"<form method=post action='{app.url}categories/new'><input name=name value=Stranger>"
                    "<button id=go>Go</button></form>")
    window.browser.get(page.as_uri())
    window.click("#go")
    window.shows("Animals accepts changes only from its own pages.")
    assert "Stranger" not in app.request("GET", "/")[1]
    window.browser.get_log("browser")


@pytest.mark.parametrize("host", ["example.com", "example.com:80", "127.0.0.1.example.com", "[::1]:80", "127.0.0.1:x", "a@127.0.0.1"])
def test_another_host_name_is_refused(app, host):
    for method in ("GET", "POST"):
        status, page, _ = app.request(method, "/", headers={"Host": host, "Origin": f"http://{host}"})
        assert status == 421
        assert "Mammal" not in page


def test_localhost_is_this_machine(app):
    assert app.request("GET", "/", headers={"Host": f"localhost:{app.port}"})[0] == 200


def test_it_listens_on_loopback_only(app):
    addresses = {line.split()[1] for line in open("/proc/net/tcp") if line.split()[3] == "0A"}
    port = f"{app.port:04X}"
    assert {a for a in addresses if a.endswith(f":{port}")} == {f"0100007F:{port}"}
    assert not [line for line in open("/proc/net/tcp6") if line.split()[1].endswith(f":{port}") and line.split()[3] == "0A"]
    with socket.create_connection(("127.0.0.1", app.port), timeout=5):
        pass


def test_every_answer_has_the_protecting_headers(app):
    for path in ("/", "/animals", "/nothing", "/static/animals.css", "/static/animals.js"):
        _, _, headers = app.request("GET", path)
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_stay_text(window, name):
    window.open()
    window.click("#add-category")
    window.fill("")
    window.browser.execute_script("document.querySelector('input[name=name]').value = arguments[0]", name)
    window.submit()
    window.wait(lambda: name in window.names(".category-name"), "the category's name as typed")
    window.click("#add-animal")
    window.browser.execute_script("document.querySelector('input[name=name]').value = arguments[0]", name)
    window.named(".option", "Omnivore").click()
    window.submit()
    window.wait(lambda: window.names(".hero h1") == [name], "the animal's name as typed")
    window.click("#delete")
    window.wait(lambda: window.names("dialog[open] h1") == [f"Delete “{name}”?"], "the question with the name as typed")
    window.press("\ue00c")
    window.click("#edit")
    assert window.find("input[name=name]").get_attribute("value") == name
    assert window.browser.title != "taken"
    foreign = "return document.querySelectorAll('[onfocus], [onerror], img, body script').length"
    assert window.browser.execute_script(foreign) == 0


def test_a_notice_cannot_be_made_up(app):
    _, page, _ = app.request("GET", "/?notice=%3Cb%3Eyou+won%3C/b%3E")
    assert "you won" not in page
