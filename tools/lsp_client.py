"""A scripted editor: speaks the language server protocol with `rubato lsp`. Standard library only."""
import json
import os
import queue
import subprocess
import threading
import time
import urllib.parse


def uri_of(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


def path_of(uri):
    return urllib.parse.unquote(uri[len("file://"):])


class ServerEnded(Exception):
    """The server is gone, or does not answer in time."""


class Client:
    """One server process. Requests wait for their answer; messages about texts are collected."""

    def __init__(self, command, root=None, limit=60, options=None, moves=True):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.limit = limit
        self.number = 0
        self.version = {}
        self.text = {}
        self.opened = set()
        self.told = {}       # uri -> (version, diagnostics, moment)
        self.versions = {}   # uri -> versions that were told about
        self.inbox = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.server = self.request("initialize", {
            "processId": None, "rootUri": uri_of(root) if root else None,
            "capabilities": {"workspace": {"workspaceEdit": {
                "documentChanges": True, "resourceOperations": ["rename"]}}} if moves else {},
            "initializationOptions": options or {}})
        self.notify("initialized", {})

    def _read(self):
        stream = self.process.stdout
        while True:
            length = 0
            while True:
                line = stream.readline()
                if not line:
                    self.inbox.put(None)
                    return
                line = line.strip()
                if not line:
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            body = stream.read(length)
            self.inbox.put((json.loads(body), time.monotonic()))

    def _send(self, message):
        data = json.dumps(message).encode()
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            self.process.stdin.flush()
        except OSError:
            raise ServerEnded("the server is gone") from None

    def _take(self, until):
        """The next message, after noting what it says about texts."""
        try:
            return self._note(self.inbox.get(timeout=max(0.0, until - time.monotonic())))
        except queue.Empty:
            raise ServerEnded("no answer within %g s" % self.limit) from None

    def _note(self, got):
        if got is None:
            raise ServerEnded("the server has ended with status %s" % self.process.wait())
        message, moment = got
        if message.get("method") == "textDocument/publishDiagnostics":
            p = message["params"]
            self.told[p["uri"]] = (p.get("version"), p["diagnostics"], moment)
            self.versions.setdefault(p["uri"], []).append(p.get("version"))
        return message

    def notify(self, method, params):
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def send_request(self, method, params):
        self.number += 1
        self._send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def answer(self, number):
        until = time.monotonic() + self.limit
        while True:
            message = self._take(until)
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise RuntimeError("%(code)d: %(message)s" % message["error"])
                return message["result"]

    def request(self, method, params):
        return self.answer(self.send_request(method, params))

    # ---- texts ----

    def open(self, path, text=None):
        uri = uri_of(path)
        if text is None:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
        self.version[uri] = 1
        self.text[uri] = text
        self.opened.add(uri)
        self.told.pop(uri, None)
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "modelica", "version": 1, "text": text}})
        return uri

    def change(self, uri, start, end, new):
        """Replaces characters start..end (of Python) of the text."""
        text = self.text[uri]
        self.version[uri] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": self.version[uri]},
            "contentChanges": [{"range": {"start": point_of(text, start), "end": point_of(text, end)},
                                "text": new}]})
        self.text[uri] = text[:start] + new + text[end:]

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.opened.discard(uri)
        self.told.pop(uri, None)

    def diagnostics(self, uri):
        """Messages about the present version of the text, complete: (list, moment)."""
        until = time.monotonic() + self.limit
        while True:
            known = self.told.get(uri)
            if known and known[0] == self.version[uri]:
                return known[1], known[2]
            self._take(until)

    def wait(self, seconds):
        """Takes in what comes within this time."""
        until = time.monotonic() + seconds
        while True:
            try:
                self._note(self.inbox.get(timeout=max(0.0, until - time.monotonic())))
            except queue.Empty:
                return

    def at(self, uri, where, **more):
        """Parameters of a request at a place of the text."""
        params = {"textDocument": {"uri": uri}, "position": point_of(self.text[uri], where)}
        params.update(more)
        return params

    def stop(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        return self.process.wait(timeout=self.limit)


# ---- positions: lines, and UTF-16 units in them ----

def line_starts(text):
    starts = [0]
    i = 0
    while i < len(text):
        c = text[i]
        if c == "\n" or (c == "\r" and text[i + 1:i + 2] != "\n"):
            starts.append(i + 1)
        i += 1
    return starts


def units(text):
    return len(text.encode("utf-16-le")) // 2


def point_of(text, at):
    before = text[:at]
    start = max(before.rfind("\n"), before.rfind("\r") if "\r" in before else -1) + 1
    if at > 0 and at < len(text) and text[at - 1] == "\r" and text[at] == "\n":
        start = max(before[:-1].rfind("\n"), before[:-1].rfind("\r")) + 1
    line = before[:start].replace("\r\n", "\n").replace("\r", "\n").count("\n")
    return {"line": line, "character": units(text[start:at])}


def index_of(text, point, starts=None):
    starts = starts or line_starts(text)
    if point["line"] >= len(starts):
        return len(text)
    at, left = starts[point["line"]], point["character"]
    if text.isascii():
        return min(at + left, len(text))
    while left > 0 and at < len(text):
        left -= 2 if ord(text[at]) > 0xFFFF else 1
        at += 1
    return at


def edits_by_uri(edit):
    """The texts that an answer to `rename` changes."""
    if "changes" in edit:
        return edit["changes"]
    return {c["textDocument"]["uri"]: c["edits"] for c in edit["documentChanges"] if "edits" in c}


def apply_edits(text, edits):
    starts = line_starts(text)
    spans = [(index_of(text, e["range"]["start"], starts), index_of(text, e["range"]["end"], starts),
              e["newText"]) for e in edits]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text
