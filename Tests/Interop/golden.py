"""Holds the golden files of Tests/Fixtures/Wire to Docs/openapi.yaml, and the description to the golden files.

An operation's folder has the name of its operationId. Folders of endpoints of our own have no description.
"""
import json
import pathlib
import sys

import jsonschema_rs
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
DESCRIPTION = yaml.safe_load((ROOT / "Docs/openapi.yaml").read_text())
SCHEMAS = DESCRIPTION["components"]["schemas"]
OWN = {"admin-", "asset-host", "sign-", "web-token", "push"}


def validator(schema):
    return jsonschema_rs.Draft202012Validator({**schema, "components": {"schemas": SCHEMAS}})


def operations():
    for path in DESCRIPTION["paths"].values():
        for method in ("get", "post"):
            if method in path:
                yield path[method]["operationId"], path[method]


def schema_of(operation, kind):
    if kind == "request":
        return operation["requestBody"]["content"]["application/json"]["schema"] if "requestBody" in operation else None
    return operation["responses"]["200"]["content"]["application/json"]["schema"]


def main():
    described = dict(operations())
    passed, failures = 0, []
    for folder in sorted((ROOT / "Tests/Fixtures/Wire").iterdir()):
        name = folder.name
        if any(name.startswith(prefix) for prefix in OWN):
            continue
        if name != "error" and name not in described:
            failures.append(f"{name}: no operation of that name in Docs/openapi.yaml")
            continue
        for file in sorted(folder.glob("*.json")):
            kind = file.name.split(".")[-2]
            schema = {"$ref": "#/components/schemas/RequestError"} if name == "error" else schema_of(described[name], kind)
            if schema is None:
                failures.append(f"{name}/{file.name}: the operation is described without a body")
                continue
            errors = list(validator(schema).iter_errors(json.loads(file.read_text())))
            if errors:
                where = "/".join(str(part) for part in errors[0].instance_path)
                failures.append(f"{name}/{file.name}: at '{where}': {errors[0].message[:300]}")
            else:
                passed += 1
    for name in sorted(set(described) - {folder.name for folder in (ROOT / "Tests/Fixtures/Wire").iterdir()}):
        failures.append(f"{name}: described, but without a golden file")
    for failure in failures:
        print("FAILED:", failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not passed else 0


sys.exit(main())
