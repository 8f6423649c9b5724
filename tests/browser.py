"""A page in a real browser, for tests: a script uses the page as a reader would and gives what it saw.

The script is put at the end of the page and calls finish(OBJECT) when it is done; chromium prints the
document, in which the object stands as JSON. Errors of the page are in its member `errors`."""
import json
import os
import re
import shutil
import subprocess

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

CATCH = """<script>window.caught = []; window.onerror = m => { caught.push(m); };
window.onunhandledrejection = e => { caught.push(String(e.reason)); };
console.error = (...m) => caught.push(m.join(' '));</script></head>"""
HELP = """<script>
const $ = id => document.getElementById(id);
const key = (e, k) => e.dispatchEvent(new KeyboardEvent("keydown", {key: k, bubbles: true}));
const wait = ms => new Promise(done => setTimeout(done, ms));
const open_tab = id => document.querySelector("[data-tab=" + id + "]").click();
const finish = seen => document.body.append(Object.assign(document.createElement("pre"),
  {id: "seen", textContent: JSON.stringify({...seen, errors: window.caught})}));
(async () => { %s })().catch(e => finish({failed: String(e) + e.stack}));
</script></body>"""


def browse(path, script, width=1000, folder="/tmp"):
    with open(path) as f:
        page = f.read().replace("</head>", CATCH, 1)
    at = page.rindex("</body>")
    probed = path + ".probed.html"
    with open(probed, "w") as f:
        f.write(page[:at] + HELP % script + page[at + len("</body>"):])
    out = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},800",
         f"--user-data-dir={folder}/profile", "--virtual-time-budget=20000", "--dump-dom",
         "file://" + os.path.abspath(probed)], capture_output=True, text=True, timeout=100)
    m = re.search(r'<pre id="seen">(.*?)</pre>', out.stdout, re.S)
    assert m, "the page did not finish: " + re.sub(r"[A-Za-z0-9+/=]{200,}", "...", out.stdout)[-1500:] + out.stderr[-500:]
    seen = json.loads(m.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    assert "failed" not in seen, seen["failed"]
    return seen
