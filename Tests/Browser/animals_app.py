"""The `animals` executable under test: start it on a free port, stop it, start it again on the same store."""

import contextlib
import http.client
import os
import re
import signal
import subprocess
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXECUTABLE = Path(os.environ.get("ANIMALS_EXECUTABLE", ROOT / ".build/debug/animals"))


BIG_SAMPLE = 3_000


class AnimalsApp:
    def __init__(self, folder, big_sample=BIG_SAMPLE, step=1_000):
        self.big_sample = big_sample
        # Small steps make a delete last as long as it takes to press Stop.
        self.step = step
        self.store = Path(folder) / "animals.store"
        self.log = Path(folder) / "animals.log"
        self.process = None
        self.start()

    def start(self, port=0):
        self.process = subprocess.Popen(
            [str(EXECUTABLE), "--port", str(port), "--store", str(self.store),
             "--big-sample", str(self.big_sample), "--step", str(self.step)],
            stdout=subprocess.PIPE, stderr=self.log.open("a"), text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"Animals is at (http://127\.0\.0\.1:(\d+)/)\n", line)
        assert found, f"The app said {line!r} and {self.log.read_text()!r} instead of where it is."
        self.url = found.group(1)
        self.port = int(found.group(2))

    def stop(self, signal_number=signal.SIGTERM):
        """Asks the app to end; returns what it still said."""
        if self.process.poll() is None:
            self.process.send_signal(signal_number)
        said, _ = self.process.communicate(timeout=20)
        return said

    def restart(self):
        """Ends the app and starts it again on the same store and port, where open windows look for it."""
        said = self.stop()
        assert self.process.returncode == 0, f"The app ended with {self.process.returncode}: {self.log.read_text()}"
        self.start(self.port)
        return said

    @contextlib.contextmanager
    def paused(self):
        """Stops the process for a while: it neither works nor answers."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    @property
    def is_running(self):
        return self.process.poll() is None

    def request(self, method, path, fields=None, headers=None, body=None):
        """One request without a browser; its `Origin` is the app's own unless given. Returns status, text, headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        sent = {}
        if method not in ("GET", "HEAD"):
            sent = {"Origin": self.url.rstrip("/"), "Content-Type": "application/x-www-form-urlencoded"}
            body = urllib.parse.urlencode(fields) if fields is not None else body or ""
        sent.update(headers or {})
        connection.request(method, path, body=body, headers={k: v for k, v in sent.items() if v is not None})
        response = connection.getresponse()
        text = response.read().decode("utf-8", "replace")
        connection.close()
        return response.status, text, dict(response.getheaders())

    def page_at(self, path):
        """The text of a page, and the path it is found at in the end."""
        status, text, headers = self.request("GET", path)
        if status == 303:
            return self.page_at(headers["Location"])
        assert status == 200, (status, text)
        return text, path
