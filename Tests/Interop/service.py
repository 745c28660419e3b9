"""The built service as a process of its own, on a free port, with its data in memory, for programs of others to call."""
import contextlib
import json
import pathlib
import subprocess
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTAINER = "iCloud.org.example.interop"
API_TOKEN = "ab" * 32


class Service:
    def __init__(self, process, url, log):
        self.process, self.url, self.log = process, url, log

    def post(self, path, body):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def web_token(self, email):
        """Signs in and returns a web token for the container's development environment."""
        session = self.post("/cumulet/1/sign-in", {"emailAddress": email, "deviceID": "interop", "deviceName": "interop"})
        answer = self.post("/cumulet/1/web-token", {
            "deviceSession": session["deviceSession"], "container": CONTAINER, "environment": "development",
            "ckAPIToken": API_TOKEN})
        return answer["ckWebAuthToken"]

    def database(self, scope):
        return f"{self.url}/database/1/{CONTAINER}/development/{scope}"

    @property
    def runs(self):
        return self.process.poll() is None


@contextlib.contextmanager
def service(*arguments, command="dev"):
    """Starts `cumulet dev` with more arguments; fails when it does not stop by itself afterwards."""
    log = ROOT / ".build/interop.log"
    with open(log, "w") as errors:
        process = subprocess.Popen(
            [ROOT / ".build/debug/cumulet", command, "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=errors,
            text=True)
        try:
            line = process.stdout.readline()
            if not line.startswith("listening on "):
                sys.exit(f"the service did not start; see {log}")
            yield Service(process, line.split()[-1], log)
        finally:
            process.terminate()
            code = process.wait(30)
    if code != 0:
        sys.exit(f"the service ended with code {code}; see {log}")
