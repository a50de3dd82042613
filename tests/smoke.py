"""`python -m tests.smoke WHEEL`: the wheel does the main job where there is no checkout."""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path


def main(wheel: str) -> int:
    """Install the wheel into a new environment and run the demo there; its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        venv.create(place / "env", with_pip=True)
        scripts = place / "env" / "bin"
        install = [str(scripts / "pip"), "install", "-q", str(Path(wheel).resolve())]
        subprocess.run(install, check=True, cwd=folder)
        home = {"HOME": str(place / "home"), "PATH": "/usr/local/bin:/usr/bin:/bin"}
        (place / "home").mkdir()
        for words in (["hooklore", "where"], ["hooklore", "schema"], ["hooks", "demo"]):
            done = subprocess.run([str(scripts / words[0]), *words[1:]], env=home, cwd=folder)
            if done.returncode:
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
