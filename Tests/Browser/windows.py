"""One browser window on the app, in the words of its user."""

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

PATIENCE = 10


class Window:
    def __init__(self, browser, app):
        self.browser = browser
        self.app = app
        self.handle = browser.current_window_handle
        # In seconds.
        self.patience = PATIENCE

    # Size and colours

    def be_desktop(self, width=1280, height=800, scale=0):
        self._metrics(width, height, is_phone=False, scale=scale)

    def be_phone(self, width=390, height=844):
        self._metrics(width, height, is_phone=True)

    def _metrics(self, width, height, is_phone, scale=0):
        self._command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                      mobile=is_phone)
        self._command("Emulation.setTouchEmulationEnabled", enabled=is_phone)

    def be_dark(self, is_dark=True):
        value = "dark" if is_dark else "light"
        self._command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def _command(self, name, **parameters):
        return self.browser.execute_cdp_cmd(name, parameters)

    def close(self):
        self.be_dark(False)
        for handle in self.browser.window_handles:
            self.browser.switch_to.window(handle)
            if handle != self.handle:
                self.browser.close()
        self.browser.switch_to.window(self.handle)
        self._command("Storage.clearDataForOrigin", origin=self.app.url.rstrip("/"), storageTypes="all")
        self.browser.execute_script("try { sessionStorage.clear(); } catch {}")
        self.browser.get("about:blank")

    # Looking

    def open(self, path=""):
        self.browser.get(self.app.url + path.lstrip("/"))
        return self

    def find(self, selector):
        return self.wait(lambda: self.visible(selector), f"nothing visible matches {selector}")

    def visible(self, selector):
        return next((e for e in self.browser.find_elements(By.CSS_SELECTOR, selector) if e.is_displayed()), None)

    def wait(self, condition, message):
        def attempt(_):
            try:
                return condition()
            except StaleElementReferenceException:
                return None
        return WebDriverWait(self.browser, self.patience, 0.05).until(attempt, f"{message}; page shows: {self.text[:600]}")

    @property
    def text(self):
        return self.browser.execute_script("return document.body.innerText")

    def shows(self, text):
        return self.wait(lambda: text in self.text, f"does not show {text!r}")

    @property
    def path(self):
        return self.browser.current_url.removeprefix(self.app.url.rstrip("/"))

    def names(self, selector=".row-name"):
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def lists(self, *expected):
        self.wait(lambda: self.names() == list(expected), f"lists {self.names()} instead of {expected}")

    def lacks(self, name):
        self.wait(lambda: name not in self.names(), f"still lists {name!r}")

    @property
    def heading(self):
        found = self.visible(".detail h1")
        return found.text if found else None

    def selects(self, name):
        self.wait(lambda: self.heading == name, f"shows {name!r} in detail")

    def selects_nothing(self):
        self.wait(lambda: self.browser.execute_script(
            "return !document.body.dataset.selected && document.querySelector('.detail .nothing') !== null"),
            "closes its animal")

    def says(self, text):
        self.wait(lambda: any(text in name for name in self.names(".toast")), f"toast {text!r}")

    @property
    def state(self):
        return self.browser.execute_script("return document.querySelector('[data-state]').innerText")

    def is_saved(self):
        self.wait(lambda: "All changes saved" in self.browser.execute_script(
            "return document.querySelector('[data-state]').textContent"), "all changes saved")

    def overflow(self):
        """How many pixels the page is wider than the window."""
        return self.browser.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def still(self):
        """Waits until nothing moves any more."""
        self.wait(lambda: self.browser.execute_script(
            "return document.getAnimations().every(a => a.playState !== 'running')"), "an end of all movement")

    def screenshot(self, path):
        self.browser.save_screenshot(str(path))

    # Going about

    def click(self, selector):
        self.wait(lambda: self.find(selector).click() or True, f"click on {selector}")

    def named(self, selector, name):
        """The element of this kind with this text."""
        def look():
            return next((e for e in self.browser.find_elements(By.CSS_SELECTOR, selector)
                         if e.is_displayed() and name in e.text), None)
        return self.wait(look, f"{selector} {name!r}")

    def choose_category(self, name):
        self.named(".category", name).click()
        self.wait(lambda: name in (self.visible(".list-title") or self.visible("h1")).text, f"list of {name}")

    def choose(self, name):
        self.named(".row-face", name).click()
        self.selects(name)

    def open_animal(self, category, name):
        self.open()
        self.choose_category(category)
        self.choose(name)

    def row(self, name):
        return self.named(".row", name)

    def fill(self, name, category=None, diet=None):
        field = self.find("input[name=name]")
        field.clear()
        field.send_keys(name)
        if category is not None:
            Select(self.find("select[name=category]")).select_by_visible_text(category)
        if diet is not None:
            self.named(".option", diet).click()

    def submit(self):
        self.click("#submit")

    def skip_checks_of_browser(self):
        """Sends forms as another client would, without the browser asking for required fields first."""
        self.browser.execute_script("for (const form of document.forms) form.noValidate = true")

    def set_autosave(self, is_on):
        switch = self.find("#autosave")
        if (switch.get_attribute("aria-checked") == "true") != is_on:
            switch.click()
        wanted = "true" if is_on else "false"
        self.wait(lambda: self.find("#autosave").get_attribute("aria-checked") == wanted, f"autosave {wanted}")

    def confirm(self):
        self.find("dialog[open] #confirm").click()

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def undo(self):
        """Presses Undo in the newest notice."""
        self.wait(lambda: [e for e in self.browser.find_elements(By.CSS_SELECTOR, ".toast-action")][-1].click() or True,
                  "a notice with Undo")

    def preview(self):
        """The rows of the dialog that list deleted rows: number, kind, examples, rule."""
        self.find("dialog[open] .preview")
        return self.browser.execute_script("""
            return [...document.querySelectorAll('dialog[open] .preview-row')].map(row =>
                ['strong', 'small', 'code'].map(part => row.querySelector(part)?.textContent ?? ''))""")

    # Long tasks

    @property
    def work(self):
        """The phase of the long task that the bar shows, or None."""
        return self.browser.execute_script("return document.querySelector('[data-work]')?.dataset.phase ?? null")

    def work_is(self, *phases):
        return self.wait(lambda: self.work in phases and (self.work or True), f"phase {self.work} instead of {phases}")

    @property
    def count(self):
        """How many animals there are, as the first row of the categories says."""
        return int(self.names(".category-count")[0].replace(",", ""))

    def load_big_sample(self):
        before = self.count
        self.click("#load-big")
        self.wait(lambda: self.count == before + self.app.big_sample and self.work is None, "the big sample")

    # Swiping

    def swipe_by_mouse(self, name, distance):
        # The change before may replace the row between finding and pressing it.
        self.wait(lambda: self._swipe_by_mouse(name, distance) or True, f"swipe of {name}")

    def _swipe_by_mouse(self, name, distance):
        face = self.row(name).find_element(By.CSS_SELECTOR, ".row-face")
        actions = ActionChains(self.browser, duration=40).move_to_element(face).click_and_hold()
        for _ in range(8):
            actions.move_by_offset(-distance // 8, 0)
        actions.release().perform()

    def swipe_by_touch(self, name, distance, down=0):
        area = self.row(name).rect
        x, y = area["x"] + area["width"] - 20, area["y"] + area["height"] / 2
        self._touch("touchStart", x, y)
        for step in range(1, 9):
            self._touch("touchMove", x - distance * step / 8, y + down * step / 8)
        self._command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def _touch(self, kind, x, y):
        self._command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])


KEYS = Keys
