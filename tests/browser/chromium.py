"""A headless Chromium, driven through its DevTools pipe. Standard library only.

    with Chromium() as browser:
        page = browser.open("file:///…/report.html", width=1200, height=900)
        page.key("ArrowLeft")
        print(page.value("document.title"), page.errors, page.requests)
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """Chromium's path, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Chromium:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="sfumato-browser-")
        to_read, self.to_write = os.pipe()
        self.to_read, from_write = os.pipe()
        command = [find(), "--headless", "--no-sandbox", "--disable-gpu",
                   "--hide-scrollbars", "--no-first-run", "--disable-extensions",
                   "--disable-background-networking", "--disable-dev-shm-usage",
                   "--remote-debugging-pipe", "--user-data-dir=" + self.folder]

        def pipes():  # the browser reads from 3 and writes to 4
            a, b = os.dup(to_read), os.dup(from_write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(command, preexec_fn=pipes, close_fds=False,
                                        stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer = b""
        self.next = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.to_read], [], [], left)[0]:
                raise RuntimeError("the browser does not answer")
            piece = os.read(self.to_read, 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, seconds=60, **params):
        self.next += 1
        sent = {"id": self.next, "method": method, "params": params}
        if session:
            sent["sessionId"] = session
        data = json.dumps(sent).encode() + b"\0"
        while data:
            data = data[os.write(self.to_write, data):]
        deadline = time.monotonic() + seconds
        while True:
            got = self.message(deadline)
            if got.get("id") == sent["id"]:
                if "error" in got:
                    raise RuntimeError(method + ": " + got["error"]["message"])
                return got["result"]
            self.events.append(got)

    def open(self, url, **size):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target,
                            flatten=True)["sessionId"]
        return Page(self, session, url, **size)


class Page:
    def __init__(self, browser, session, url, width=1200, height=900, dark=False):
        self.browser = browser
        self.session = session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)
        self.dark(dark)
        browser.events.clear()
        self.call("Page.navigate", url=url)
        for _ in range(600):
            if self.value("document.readyState") == "complete":
                break
            time.sleep(0.05)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def value(self, expression):
        got = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in got:
            raise RuntimeError(json.dumps(got["exceptionDetails"]))
        return got["result"].get("value")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      **({"text": key} if len(key) == 1 and kind == "keyDown" else {}))

    def _events(self):
        self.value("0")  # whatever was under way has been told
        return [e for e in self.browser.events if e.get("sessionId") == self.session]

    @property
    def errors(self):
        """What the console was told: exceptions, refusals, warnings."""
        found = []
        for event in self._events():
            if event["method"] == "Runtime.exceptionThrown":
                found.append(json.dumps(event["params"]["exceptionDetails"]))
            if event["method"] == "Log.entryAdded":
                found.append(event["params"]["entry"]["text"])
            if event["method"] == "Runtime.consoleAPICalled":
                found.append(json.dumps(event["params"]["args"]))
        return found

    @property
    def requests(self):
        """Addresses asked for, but for those that are inside the page."""
        return [e["params"]["request"]["url"] for e in self._events()
                if e["method"] == "Network.requestWillBeSent"
                and not e["params"]["request"]["url"].startswith("data:")]

    def shot(self, path, clip=None):
        params = {"captureBeyondViewport": True}
        if clip:
            x, y, width, height = clip
            params["clip"] = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", **params)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def pdf(self, path):
        data = self.call("Page.printToPDF", printBackground=True)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))
