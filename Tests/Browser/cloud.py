"""A service of the suite's own, and devices that are signed in to it, each with an app that can be ended and started again."""
import os
import re
import secrets
import signal
import subprocess
import tempfile

from app import App

VARIABLES = ("CUMULET_SERVER", "CUMULET_API_TOKEN", "CUMULET_ENVIRONMENT", "CUMULET_PASSWORD", "CUMULET_DEVICE")


class Cloud:
    """`cumulet dev` on a free port: in memory, or with a folder so that it can be stopped and started."""

    def __init__(self, build, is_kept=False, cumulet=None):
        self.build = build
        self.folder = tempfile.TemporaryDirectory(prefix="cumulet-cloud-", ignore_cleanup_errors=True)
        self.data = ["--data", f"{self.folder.name}/data"] if is_kept else ["--memory"]
        self.environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
        self.cumulet = cumulet or f"{build}/debug/cumulet"
        self.process = None
        self.port = 0
        self.apps = []
        self.start()

    def start(self):
        with open(f"{self.folder.name}/service.log", "a") as log:
            self.process = subprocess.Popen(
                [self.cumulet, "dev", "--port", str(self.port), *self.data], stdout=subprocess.PIPE, stderr=log,
                text=True, env=self.environment)
        for line in self.process.stdout:
            if found := re.match(r"listening on (http://\S+:(\d+))", line):
                self.address, self.port = found.group(1), int(found.group(2))
                return
        raise RuntimeError("cumulet dev did not say where it listens")

    def program(self, example, product):
        return f"{self.build}/examples/{example}/debug/{product}"

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for app in self.apps:
            app.end()
        self.stop()
        self.folder.cleanup()

    def stage(self, devices, *words):
        return Stage(self, devices, words)

    def device(self, name, account=None):
        device = Device(self, name)
        if account:
            device.run(self.cumulet, "login", account, "--server", self.address)
        return device


class Stage:
    """`cumulet stage` with the recipe app on some devices, and the addresses of its page and of theirs."""

    def __init__(self, cloud, devices, words):
        program = os.path.realpath(cloud.program("CookCloud", "CookCloudApp"))
        self.process = subprocess.Popen(
            [cloud.cumulet, "stage", program, "--devices", devices, "--port", "0", "--server", cloud.address, *words],
            stdout=subprocess.PIPE, text=True, env=cloud.environment)
        said = [self.process.stdout.readline() for _ in range(1 + devices.count(":"))]
        if not (found := re.match(r"stage on (\S+)", said[0])):
            raise RuntimeError("the stage did not say where it is to be seen")
        self.address = found.group(1)
        self.addresses = dict(re.match(r"  (\w+): \S+, (\S+)", line).groups() for line in said[1:])

    def end(self):
        """Ends it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        assert code == 0, f"the stage ended with {code}"


class Device:
    """A folder with what a signed-in device knows."""

    def __init__(self, cloud, name):
        self.cloud = cloud
        self.name = name
        folder = f"{cloud.folder.name}/{name}"
        os.makedirs(folder)
        self.environment = dict(
            cloud.environment, CUMULET_DEVICE=folder, XDG_CACHE_HOME=f"{folder}/cache", CUMULET_SERVER=cloud.address)

    def run(self, program, *words):
        """What a program prints on this device."""
        done = subprocess.run([program, *words], env=self.environment, capture_output=True, text=True, timeout=30)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.strip()}")
        return done.stdout.strip()

    def start(self, example, product):
        app = DeviceApp(self, self.cloud.program(example, product))
        self.cloud.apps.append(app)
        return app


class DeviceApp:
    """An app on a device: it keeps its port and token when it is started again, as on a stage."""

    def __init__(self, device, program):
        self.device = device
        self.program = program
        self.log = f"{device.environment['CUMULET_DEVICE']}.log"
        self.environment = dict(
            device.environment, CUMULET_VIEW_TOKEN=secrets.token_hex(16), CUMULET_STAGE="http://127.0.0.1:9")
        self.app = None
        self.start()

    def start(self):
        with open(self.log, "a") as log:
            self.app = App(self.program, self.environment, log)
        self.address = self.app.address
        self.environment["CUMULET_PORT"] = re.search(r":(\d+)/", self.address).group(1)

    def say(self, order):
        self.app.say(order)

    def kill(self):
        self.app.kill()
        self.app = None

    def end(self):
        if self.app:
            self.app.end()
            self.app = None
