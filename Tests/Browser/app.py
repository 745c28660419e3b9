"""An app's process, for suites that drive its windows."""
import re
import subprocess


class App:
    def __init__(self, program, environment=None, log=None):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        for line in self.process.stdout:
            if found := re.match(r"showing on (http\S+)", line):
                self.address = found.group(1)
                break
        else:
            raise RuntimeError(f"{program} did not say where it is to be seen")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def say(self, order):
        """An order as a stage gives them."""
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()

    def kill(self):
        self.process.kill()
        self._over()

    def end(self):
        self.process.terminate()
        self._over()

    def _over(self):
        self.process.wait(timeout=10)
        self.process.stdin.close()
        self.process.stdout.close()
