"""A headless Chromium that stays, for what a page does over time: browser.py DIRECTORY ADDRESS

Each line of standard input is an expression of JavaScript. It is evaluated in the page again and again until it is
true, and its value is written, or "never" after 30 seconds. An exception on the page is written as soon as it is known.
A line "drag X Y TO" has the mouse drag from there to another X, and "true" is written.
"""
import itertools
import json
import os
import subprocess
import sys
import time


class Browser:
    def __init__(self, directory):
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        # The browser reads from 3 and writes to 4, wherever the pipes were.
        command = ["sh", "-c", f'exec 3<&{theirs_in} 4>&{theirs_out}; exec "$@"', "sh", "chromium", "--headless=new",
                   "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={directory}",
                   "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
                   "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost", "--window-size=1200,900", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(theirs_in, theirs_out), stderr=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.commands, self.replies = os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb")
        self.numbers = itertools.count(1)
        self.session = None
        self.complaints = []

    def call(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        self.commands.flush()
        while True:
            reply = json.loads(self.read())
            if reply.get("method") == "Runtime.exceptionThrown":
                self.complaints.append(reply["params"]["exceptionDetails"])
            if reply.get("id") == number:
                return reply.get("result", reply)

    def read(self):
        message = bytearray()
        while (byte := self.replies.read(1)) != b"\0":
            if not byte:
                sys.exit("the browser has gone")
            message += byte
        return message

    def open(self, address):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Page.navigate", url=address)

    def until(self, expression):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            reply = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
            if self.complaints:
                return f"the page fails: {self.complaints}"
            value = reply.get("result", {}).get("value")
            if value:
                return value
            time.sleep(0.05)
        return "never"


    def drag(self, x, y, to):
        def mouse(what, at):
            self.call("Input.dispatchMouseEvent", type=what, x=at, y=y, button="left", buttons=1, clickCount=1)
        mouse("mousePressed", x)
        for step in range(1, 9):
            mouse("mouseMoved", x + (to - x) * step / 8)
        mouse("mouseReleased", to)
        return "true"


def main():
    directory, address = sys.argv[1:]
    browser = Browser(directory)
    browser.open(address)
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["drag"]:
            print(browser.drag(*map(float, words[1:])), flush=True)
        else:
            print(browser.until(line), flush=True)
    browser.process.terminate()
    browser.process.wait()


main()
