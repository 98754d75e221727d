"""browser.py - drives a headless Chromium over its DevTools protocol, for tests of pages: no driver, no
library. Chromium reads commands from descriptor 3 and writes answers and events to 4, JSON texts that end
with a zero byte.

    with Browser() as browser:
        browser.open(path)
        browser.value("document.title")

    browser.py PAGE.html TO.png [WIDTH [dark]]: a picture of a whole page
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

# The sandbox needs what a container may not have; all else keeps Chromium from talking to anybody.
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
           "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"]


def program():
    """The Chromium that is there, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One page in one browser, which ends with it. `said` is what the console was told, and what went wrong."""

    def __init__(self, width=1280, height=900, dark=False):
        self.folder = tempfile.TemporaryDirectory(prefix="xstep-browser-", ignore_cleanup_errors=True)
        commands, self.to = os.pipe()
        self.back, answers = os.pipe()

        def place():  # as 3 and 4, which may be each other's now
            one, two = os.dup(commands), os.dup(answers)
            high = [os.dup2(one, 20), os.dup2(two, 21)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
            for number in (3, 4):
                os.set_inheritable(number, True)

        self.process = subprocess.Popen(
            [program(), *OPTIONS, f"--user-data-dir={self.folder.name}/data", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=place, env={**os.environ, "HOME": self.folder.name})
        os.close(commands)
        os.close(answers)
        self.number, self.buffer, self.said = 0, b"", []
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.resize(width, height, dark)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:  # so that all its processes end, and write nothing more
            self.session = None
            self.ask("Browser.close")
            self.process.wait(60)
        except (EOFError, OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        self.folder.cleanup()

    def receive(self):
        while b"\0" not in self.buffer:
            more = os.read(self.back, 1 << 20)
            if not more:
                raise EOFError("Chromium has ended")
            self.buffer += more
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def hear(self, event):
        """Keeps an event, and what it complains of."""
        name, about = event.get("method"), event.get("params", {})
        if name == "Runtime.exceptionThrown":
            self.said.append(json.dumps(about["exceptionDetails"]))
        elif name == "Runtime.consoleAPICalled":
            self.said.append(json.dumps([one.get("value") for one in about["args"]]))
        elif name == "Log.entryAdded":
            self.said.append(about["entry"]["text"])
        elif name == "Network.requestWillBeSent" and not about["request"]["url"].startswith(("file:", "about:")):
            self.said.append("asks for " + about["request"]["url"])

    def ask(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.hear(answer)

    def resize(self, width, height=900, dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                           {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, path, scripts=True, anchor=""):
        """Opens a file and waits until all of it is there."""
        address = pathlib.Path(path).resolve().as_uri() + anchor
        self.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
        for where in ("about:blank", address):  # from a page to itself nothing would be loaded
            self.ask("Page.navigate", url=where)
            while not self.value(f"document.readyState === 'complete' && location.href === {json.dumps(where)}"):
                time.sleep(0.02)

    def value(self, expression):
        """What an expression of JavaScript comes to."""
        found = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True,
                         userGesture=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{expression}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def click(self, selector, nth=0):
        """Clicks where an element is, as a person does."""
        box = self.value(f"""(() => {{
            const one = document.querySelectorAll({json.dumps(selector)})[{nth}];
            one.scrollIntoView({{block: "center"}});
            const box = one.getBoundingClientRect();
            return [box.left + Math.min(box.width / 2, 200), box.top + box.height / 2];
        }})()""")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1],
                     button="none" if kind == "mouseMoved" else "left", clickCount=int(kind != "mouseMoved"))

    def key(self, key, text=None):
        """Presses a key, by its name in JavaScript."""
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **({"text": text} if text else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self, path, whole=True):
        image = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(image))


def main():
    page, to, *rest = sys.argv[1:]
    width = int(rest[0]) if rest else 1280
    with Browser(width, dark="dark" in rest) as browser:
        browser.open(page)
        height = browser.value("document.documentElement.scrollHeight")
        browser.resize(width, min(height, 6000), "dark" in rest)
        browser.picture(to, whole=False)
        print(height, browser.said)


if __name__ == "__main__":
    main()
