# SPDX-License-Identifier: Apache-2.0
"""A browser for tests: Debian's chromedriver spoken to in plain WebDriver JSON, with nothing but the standard library."""
import base64
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-color-profile=srgb"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Left": "\ue012", "Right": "\ue014", "Home": "\ue011", "End": "\ue010"}


def available() -> bool:
    return bool(shutil.which("chromedriver") and (shutil.which("chromium") or shutil.which("google-chrome")))


class Browser:
    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                break
        self.root = f"http://127.0.0.1:{found[1]}"
        options = {"args": [*FLAGS, f"--user-data-dir={self.folder.name}/profile"]}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = "/session/" + answer["sessionId"]
        self.post("/timeouts", {"script": 20000, "pageLoad": 30000})
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait(10)
            self.folder.cleanup()

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].split("\n")[0]) from None

    def post(self, path, body=None):
        return self.call("POST", self.session + path, body or {})

    def open(self, url):
        self.post("/url", {"url": url})

    def run(self, script, *arguments):
        """The value of a JavaScript function body; promises are awaited."""
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def until(self, condition, *arguments, seconds=30):
        """Waits until a JavaScript expression is true, and returns its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run(f"return {condition}", *arguments):
                return value
            time.sleep(0.05)
        raise AssertionError(f"not within {seconds} s: {condition}; the page shows: " + self.run("return document.body.innerText")[:600])

    def find(self, css):
        return self.post("/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.post(f"/element/{self.find(css)}/click")

    def type(self, css, text):
        element = self.find(css)
        self.post(f"/element/{element}/clear")
        self.post(f"/element/{element}/value", {"text": text})

    def press(self, *keys):
        steps = [step for key in keys for step in ({"type": "keyDown", "value": KEYS.get(key, key)}, {"type": "keyUp", "value": KEYS.get(key, key)})]
        self.post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]})

    def drag(self, start, end):
        moves = [{"type": "pointerMove", "duration": 0, "x": round(start[0]), "y": round(start[1])}, {"type": "pointerDown", "button": 0},
                 {"type": "pointerMove", "duration": 60, "x": round(end[0]), "y": round(end[1])}, {"type": "pointerUp", "button": 0}]
        self.post("/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}]})

    def cdp(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height=1000):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def theme(self, name):
        """What the system prefers: light or dark."""
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def console(self):
        """Errors and warnings since the last call; violations of the content security policy are among them."""
        return [entry["message"] for entry in self.post("/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("GET", self.session + "/screenshot")))
