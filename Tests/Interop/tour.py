"""Runs the commands of Docs/Sharing-and-assets.md as they stand, against a live service, and compares what they print.

A command whose line ends with a comment has to print that comment's text; they are looked for in the order of the page. No
command may fail, and no answer may have an error that the page does not tell of.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from service import ROOT, service

PAGE = ROOT / "Docs/Sharing-and-assets.md"


def commands():
    """The page's shell blocks but the one that starts the service."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.S | re.M)
    if blocks[0].strip() != "cumulet dev":
        sys.exit(f"{PAGE}: the first commands do not start the service")
    return "".join(blocks[1:])


def main():
    script = commands()
    expected = [
        text for text in re.findall(r"  +# (\S.*)$", script, re.M) if "…" not in text
    ]
    errors = [text for text in expected if re.fullmatch(r"[A-Z_]+", text)]
    with service() as running, tempfile.TemporaryDirectory() as folder:
        script = script.replace("cloud=http://127.0.0.1:8787", f"cloud={running.url}")
        if running.url not in script:
            sys.exit(f"{PAGE}: the service's address is not where it was")
        run = subprocess.run(
            ["bash", "-e", "-c", script], cwd=folder, capture_output=True, text=True, timeout=120)
    failures = [] if run.returncode == 0 else [f"the commands end with {run.returncode}: {run.stderr[-400:]}"]
    rest = run.stdout
    for text in expected:
        _, found, after = rest.partition(text)
        if found:
            rest = after
        else:
            failures.append(f"'{text}' is not printed in its place")
    for error in re.findall(r'"serverErrorCode" ?: ?"(\w+)"', run.stdout):
        if error not in errors:
            failures.append(f"an answer says {error}")
    for failure in failures:
        print(failure)
    if failures:
        sys.exit(run.stdout[-2000:])
    print(f"the tour of sharing and assets prints what it says: {len(expected)} texts")


main()
