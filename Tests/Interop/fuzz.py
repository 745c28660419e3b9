"""Runs Docs/openapi.yaml against a live service: no answer in 5xx, no crash, and every answer fits its description.

usage: fuzz.py [EXAMPLES] (for each operation; default 30)
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

import yaml

from service import API_TOKEN, CONTAINER, ROOT, service

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def biased():
    """The description with a few names that come again and again, so that most requests meet something that exists."""
    description = yaml.safe_load((ROOT / "Docs/openapi.yaml").read_text())
    schemas = description["components"]["schemas"]

    def often(schema, *names):
        schemas[schema] = {"anyOf": [{"enum": list(names)}, {"enum": list(names)}, schemas[schema]]}

    often("Identifier", "Note", "title", "count", "tags", "place", "photo", "folder")
    often("Name", "n1", "n2", "n3", "Notes", "_defaultZone")
    return yaml.safe_dump(description, sort_keys=False)


def fill(running, token):
    """A zone and records of each kind of field."""
    query = f"?ckAPIToken={API_TOKEN}&ckWebAuthToken={urllib.parse.quote(token, safe='')}"
    base = f"/database/1/{CONTAINER}/development/private"
    running.post(f"{base}/zones/modify{query}", {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Notes"}}}]})
    fields = {
        "title": {"value": "Milk"}, "count": {"value": 3}, "tags": {"value": ["a", "b"]},
        "folder": {"value": {"recordName": "n1", "action": "NONE"}}}
    for zone in ("Notes", "_defaultZone"):
        for name in ("n1", "n2", "n3"):
            running.post(f"{base}/records/modify{query}", {"zoneID": {"zoneName": zone}, "operations": [
                {"operationType": "create", "record": {"recordName": name, "recordType": "Note", "fields": fields}}]})


def main():
    examples = sys.argv[1] if len(sys.argv) > 1 else "30"
    with service() as running, tempfile.TemporaryDirectory() as folder:
        token = running.web_token("fuzz@example.com")
        fill(running, token)
        description = pathlib.Path(folder) / "openapi.yaml"
        description.write_text(biased())
        configuration = pathlib.Path(folder) / "schemathesis.toml"
        configuration.write_text(f"""
            [auth.openapi.apiToken]
            api_key = "{API_TOKEN}"
            [auth.openapi.webAuthToken]
            api_key = "{token}"
            [parameters]
            "path.container" = "{CONTAINER}"
            "path.environment" = "development"
        """)
        run = subprocess.run(
            [pathlib.Path(sys.executable).parent / "st", "--config-file", configuration, "--no-color", "run",
             description, "--url", running.url, "--checks", CHECKS, "--max-examples", examples,
             "--phases", "examples,coverage,fuzzing", "--suppress-health-check", "all", "--request-timeout", "30",
             "--generation-deterministic"],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(run.stdout[-6000:] if run.returncode else "\n".join(run.stdout.splitlines()[-12:]))
        calls = re.search(r"(\d+) generated", run.stdout)
        if not running.runs:
            print("FAILED: the service has ended")
            return 1
        token = running.web_token("after@example.com")
        print(f"{calls.group(1) if calls else '?'} calls; the service still answers")
        return run.returncode


sys.exit(main())
