# SPDX-License-Identifier: Apache-2.0
"""What every test of the language server begins with: the program, a folder, tools/ on the path; a build without the server
leaves the test out."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
TMP = os.path.realpath(os.environ["TMPDIR"])
sys.path.insert(0, os.path.join(ROOT, "tools"))
if "built without cJSON" in subprocess.run([RUBATO, "lsp"], stdin=subprocess.DEVNULL, capture_output=True,
                                           text=True).stderr:
    sys.exit(77)
