"""Lets requests-cloudkit, a client of others, sign requests to a live service: create, query, modify, delete, and what is refused.

requests-cloudkit 1.0.1 was written for Python 2, where text and bytes are one: it gives text to hash functions and to a
file of bytes, and puts what base64 makes into text. Its module gets a hashlib and a tempfile here that take text as its UTF-8
bytes, a base64 that makes text, and in one case a clock that is wrong. Nothing else of it is touched.
"""
import base64
import datetime
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types

import ecdsa
import requests
from requests_cloudkit import CloudKitAuth, cloudkit

from service import CONTAINER, ROOT, service


def as_bytes(text):
    return text.encode() if isinstance(text, str) else text


class TextFile:
    """A temporary file of bytes that takes text."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile()

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, *cause):
        return self.file.__exit__(*cause)

    def write(self, text):
        return self.file.write(as_bytes(text))

    def __getattr__(self, name):
        return getattr(self.file, name)


cloudkit.hashlib = types.SimpleNamespace(sha256=lambda text=b"", **options: hashlib.sha256(as_bytes(text), **options))
cloudkit.base64 = types.SimpleNamespace(b64encode=lambda data: base64.b64encode(data).decode())
cloudkit.tempfile = types.SimpleNamespace(NamedTemporaryFile=TextFile)


def clock_off_by(seconds):
    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.datetime.now(tz) + datetime.timedelta(seconds=seconds)

    cloudkit.datetime = types.SimpleNamespace(datetime=Clock)


def command(folder, *words):
    run = subprocess.run(
        [ROOT / ".build/debug/cumulet", *words, "--data", folder], capture_output=True, text=True, timeout=60)
    if run.returncode != 0:
        sys.exit(f"cumulet {words[0]} {words[1]} failed: {run.stderr}")
    return run.stdout.strip()


def keys(folder, name):
    """Files with a new private key and its public half."""
    key = ecdsa.SigningKey.generate(curve=ecdsa.NIST256p)
    private, public = folder / f"{name}.pem", folder / f"{name}.public.pem"
    private.write_bytes(key.to_pem())
    public.write_bytes(key.get_verifying_key().to_pem())
    return str(private), str(public)


class Client:
    def __init__(self, running, auth):
        self.base, self.auth = running.database("public"), auth

    def post(self, operation, body, query=""):
        answer = requests.post(f"{self.base}/{operation}{query}", data=json.dumps(body), auth=self.auth, timeout=30)
        return answer.status_code, answer.json()

    def get(self, operation):
        answer = requests.get(f"{self.base}/{operation}", auth=self.auth, timeout=30)
        return answer.status_code, answer.json()

    def modify(self, kind, **record):
        return self.post("records/modify", {"operations": [{"operationType": kind, "record": record}]})


CASES = []


def case(body):
    CASES.append(body)
    return body


@case
def creates_queries_modifies_and_deletes_a_record(client, _):
    status, answer = client.modify("create", recordName="n1", recordType="Note", fields={"title": {"value": "milk"}})
    assert status == 200, answer
    record = answer["records"][0]
    assert record["fields"]["title"]["value"] == "milk", answer
    writer = record["created"]["userRecordName"]
    assert writer.startswith("_") and len(writer) == 33, writer

    query = {"query": {"recordType": "Note", "filterBy": [
        {"fieldName": "title", "comparator": "EQUALS", "fieldValue": {"value": "milk", "type": "STRING"}}]}}
    status, answer = client.post("records/query", query)
    assert status == 200 and [found["recordName"] for found in answer["records"]] == ["n1"], answer

    status, answer = client.modify(
        "update", recordName="n1", recordType="Note", recordChangeTag=record["recordChangeTag"],
        fields={"title": {"value": "bread é"}})
    assert status == 200 and answer["records"][0]["fields"]["title"]["value"] == "bread é", answer
    assert answer["records"][0]["modified"]["userRecordName"] == writer, answer

    status, answer = client.modify("delete", recordName="n1")
    assert status == 200 and answer["records"][0]["deleted"] is True, answer
    status, answer = client.post("records/lookup", {"records": [{"recordName": "n1"}]})
    assert answer["records"][0]["serverErrorCode"] == "NOT_FOUND", answer


@case
def signs_requests_without_a_body_and_with_a_query(client, _):
    status, answer = client.get("users/caller")
    assert status == 200 and answer["userRecordName"].startswith("_"), answer
    status, answer = client.post("records/lookup", {"records": []}, query="?getCurrentSyncToken=true&x=a%20b")
    assert status == 200 and answer["records"] == [], answer


@case
def is_refused_with_another_key(client, other):
    status, answer = Client.post(other, "records/query", {"query": {"recordType": "Note"}})
    assert status == 401 and answer["serverErrorCode"] == "AUTHENTICATION_FAILED", answer
    assert answer["reason"].startswith("Authentication failed"), answer


@case
def is_refused_when_its_clock_is_late(client, _):
    for seconds, wanted in [(-540, 200), (540, 200), (-660, 401), (660, 401)]:
        clock_off_by(seconds)
        status, answer = client.get("users/caller")
        clock_off_by(0)
        assert status == wanted, (seconds, answer)
        assert status == 200 or "ISO8601Date" in answer["reason"], answer


@case
def is_refused_in_the_private_database(client, _):
    private = Client.__new__(Client)
    private.base, private.auth = client.base.replace("/public", "/private"), client.auth
    status, answer = private.post("zones/list", {})
    assert status == 403 and answer["serverErrorCode"] == "ACCESS_DENIED", answer


def main():
    os.environ.pop("CUMULET_STORE", None)
    failures = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        data = str(folder / "data")
        private, public = keys(folder, "key")
        with service("--data", data) as running:
            command(data, "container", "create", CONTAINER)
            key_id = command(data, "key", "add", "--container", CONTAINER, "--name", "interop", public)
            client = Client(running, CloudKitAuth(key_id, private))
            other = Client(running, CloudKitAuth(key_id, keys(folder, "other")[0]))
            for check in CASES:
                try:
                    check(client, other)
                except (AssertionError, KeyError) as failure:
                    failures += 1
                    print(f"FAILED: requests-cloudkit {check.__name__.replace('_', ' ')}: {failure}")
            command(data, "key", "revoke", key_id)
            if client.get("users/caller")[0] != 401:
                failures += 1
                print("FAILED: requests-cloudkit is refused once its key is revoked")
    print(f"{len(CASES) + 1 - failures} passed, {failures} failed")
    return 1 if failures else 0


sys.exit(main())
