"""`modelstore browse` under test: started on a free port, on a store that the project's own sample program makes."""

import functools
import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / ".build/debug"
EXECUTABLE = Path(os.environ.get("MODELSTORE_EXECUTABLE", BUILT / "modelstore"))
SAMPLE = Path(os.environ.get("BROWSER_SAMPLE_EXECUTABLE", EXECUTABLE.parent / "BrowserSample"))


@functools.cache
def sample(cookbooks):
    """A store's bytes; making one takes longer than starting the program."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "Recipes.store"
        subprocess.run([str(SAMPLE), str(store), str(cookbooks)], check=True, timeout=60)
        return store.read_bytes()


class BrowseApp:
    def __init__(self, folder, *options, cookbooks=12):
        self.folder = Path(folder)
        self.store = self.folder / "Recipes.store"
        self.log = self.folder / "browse.log"
        self.store.write_bytes(sample(cookbooks))
        self.process = subprocess.Popen(
            [str(EXECUTABLE), "browse", str(self.store), *options],
            stdout=subprocess.PIPE, stderr=self.log.open("a"), text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"Recipes\.store is at (http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/)\n", line)
        assert found, f"The program said {line!r} and {self.log.read_text()!r} instead of where it is."
        self.url, self.port, self.token = found.group(1), int(found.group(2)), found.group(3)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20)
        assert self.process.returncode == 128 + signal.SIGINT, f"It ended with {self.process.returncode}: {self.log.read_text()}"

    def request(self, method, path, headers=None, body=None):
        """One request without a browser. Returns status and text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path, body=body, headers=headers or {})
        response = connection.getresponse()
        text = response.read().decode("utf-8", "replace")
        connection.close()
        return response.status, text

    def json(self, path):
        status, text = self.request("GET", f"/{self.token}/{path}")
        assert status == 200, (path, status, text)
        return json.loads(text)

    def rows(self, entity):
        return self.json(f"rows/{entity}.json?size=1")["total"]

    @property
    def files(self):
        return sorted(path.name for path in self.folder.iterdir() if path.name != "browse.log")
