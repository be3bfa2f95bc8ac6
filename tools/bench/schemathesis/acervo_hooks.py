"""What Schemathesis does not know of Acervo: operations as paths of their own, codes of what is there, canaries."""

import json
import os
import zlib

import requests
import schemathesis
from schemathesis import GenerationMode

with open(os.environ["ACERVO_FUZZ_FACTS"], encoding="utf-8") as file:
    FACTS = json.load(file)
EXECUTE = "/v1/operations/{code}:execute"
EVERY = int(os.environ.get("ACERVO_CANARY_EVERY", "1"))
SENT = {"count": 0}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Each operation becomes a path, with the schemas that the product tells of it."""
    outcome = raw_schema["components"]["schemas"]["ExecutionOutcome"]
    request = raw_schema["components"]["schemas"]["ExecutionRequest"]
    general = raw_schema["paths"][EXECUTE]["post"]
    for detail in FACTS["operations"]:
        code, given = detail["code"], detail["input_schema"]
        result = {**outcome["properties"], "result": detail["output_schema"]}
        body = {**request["properties"], "input": given}
        required = ["input"] if given.get("required") else []
        raw_schema["paths"][EXECUTE.replace("{code}", code)] = {
            "post": {
                **general,
                "operationId": f"execute {code}",
                "parameters": [each for each in general["parameters"] if each["in"] != "path"],
                "requestBody": {
                    "required": bool(required),
                    "content": {
                        "application/json": {"schema": {**request, "properties": body, "required": required}}
                    },
                },
                "responses": {
                    **general["responses"],
                    "200": {
                        "description": "The answer",
                        "content": {"application/json": {"schema": {**outcome, "properties": result}}},
                    },
                },
            }
        }


def known(name, value):
    """Every other value of a field that names something names something that is there."""
    codes = FACTS["codes"].get(name)
    print_of = zlib.crc32(repr(value).encode("utf-8", "replace"))
    return codes[print_of // 2 % len(codes)] if codes and print_of % 2 == 0 else value


@schemathesis.hook
def before_call(context, case, kwargs):
    """A request that is to be refused stays as it is."""
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    if isinstance(case.path_parameters, dict):
        case.path_parameters = {name: known(name, value) for name, value in case.path_parameters.items()}
    given = case.body.get("input") if isinstance(case.body, dict) else None
    if isinstance(given, dict):
        # A code of its own names something that is to be made.
        named = {name: known(name, value) if name != "code" else value for name, value in given.items()}
        case.body = {**case.body, "input": named}


@schemathesis.check
def canary_is_not_echoed(context, response, case):
    """The same request with names and values that nobody declared: refused, and nothing of them comes back."""
    SENT["count"] += 1
    if SENT["count"] % EVERY != 0:
        return
    canary = f"zqcanary{SENT['count']}zq"
    sent = response.request
    headers = {name: value for name, value in sent.headers.items() if name.lower() != "content-length"}
    headers["X-Canary"] = canary
    url = sent.url + ("&" if "?" in sent.url else "?") + f"{canary}={canary}"
    body = sent.body
    try:
        given = json.loads(body) if body else None
    except ValueError:
        given = None
    if isinstance(given, dict):
        given[canary] = canary
        if isinstance(given.get("input"), dict):
            given["input"][canary] = canary
        body = json.dumps(given)
    answer = requests.request(sent.method, url, headers=headers, data=body, timeout=20)
    told = answer.text + repr(dict(answer.headers))
    if canary in told:
        raise AssertionError(f"A canary came back from {sent.method} {url}: {answer.text[:500]}")
    if answer.status_code >= 500:
        raise AssertionError(f"{answer.status_code} to a canary at {sent.method} {url}: {answer.text[:500]}")
