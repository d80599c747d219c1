"""What the app says when it cannot start."""

import subprocess

import pytest

from animals_app import EXECUTABLE


def launch(*arguments):
    answer = subprocess.run([str(EXECUTABLE), *map(str, arguments)], capture_output=True, text=True, timeout=20)
    return answer.returncode, answer.stderr


def test_a_port_that_is_taken(app):
    code, said = launch("--in-memory", "--port", app.port)
    assert code == 1 and f"Port {app.port} is taken" in said


def test_a_folder_that_cannot_be_made():
    code, said = launch("--store", "/proc/nowhere/animals.store", "--port", 0)
    assert code == 1 and "The folder /proc/nowhere is not there and cannot be made." in said


def test_a_file_that_is_no_store(tmp_path):
    path = tmp_path / "animals.store"
    path.write_bytes(bytes(range(256)) * 64)
    before = path.read_bytes()
    code, said = launch("--store", path, "--port", 0)
    assert code == 1 and "not a database" in said
    assert path.read_bytes() == before, "A file of something else is left as it is."


@pytest.mark.parametrize("arguments", [("--port", "99999"), ("--port", "x"), ("--in-memory", "--store", "a"), ("--what",)])
def test_arguments_that_cannot_be(arguments):
    code, said = launch(*arguments)
    assert code == 64 and "Usage: animals" in said
