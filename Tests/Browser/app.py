"""An app's process, for suites that drive its windows."""
import re
import subprocess


class App:
    def __init__(self, program, environment=None):
        self.process = subprocess.Popen([program], stdout=subprocess.PIPE, text=True, env=environment)
        for line in self.process.stdout:
            if found := re.match(r"showing on (http\S+)", line):
                self.address = found.group(1)
                break
        else:
            raise RuntimeError(f"{program} did not say where it is to be seen")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=10)
