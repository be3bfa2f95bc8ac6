"""What Schemathesis does not know of Acervo: operations as paths of their own, codes of what is there, canaries."""

import atexit
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
ANSWERS = {"paths": {}}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Each operation becomes a path, with the schemas that the product tells of it."""
    outcome = raw_schema["components"]["schemas"]["ExecutionOutcome"]
    request = raw_schema["components"]["schemas"]["ExecutionRequest"]
    general = raw_schema["paths"][EXECUTE]["post"]
    for detail in FACTS["operations"]:
        code, given = detail["code"], detail["input_schema"]
        required = ["input"] if given.get("required") else []
        # Without required fields the input may be left out, or null.
        accepted = given if required else {**given, "type": ["object", "null"]}
        result = {**outcome["properties"], "result": detail["output_schema"]}
        body = {**request["properties"], "input": accepted}
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


def identified(fields, values):
    """Of each field that names something, three values of four name something that is there."""
    return {name: fields[name](value) if name in fields else value for name, value in values.items()}


def one_of(codes, as_list=False):
    """The value of a field that has existing codes."""

    def value_of(value):
        print_of = zlib.crc32(repr(value).encode("utf-8", "replace"))
        if not codes or print_of % 4 == 0:
            return value
        code = codes[print_of // 4 % len(codes)]
        return [code] if as_list else code

    return value_of


FIELDS = {name: one_of(codes) for name, codes in FACTS["fields"].items()}
INPUTS = {
    code: {name: one_of(field["known"], field["list"]) for name, field in fields.items()}
    for code, fields in FACTS["inputs"].items()
}


@schemathesis.hook
def before_call(context, case, kwargs):
    """A request that is to be refused stays as it is."""
    if case.path == "/version/cliente/publicar":
        case.headers = {**(case.headers or {}), "x-desktop-release-token": FACTS["releaseToken"]}
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    if isinstance(case.path_parameters, dict):
        case.path_parameters = identified(FIELDS, case.path_parameters)
    if isinstance(case.query, dict):
        case.query = identified(FIELDS, case.query)
    if not isinstance(case.body, dict):
        return
    given = case.body.get("input")
    if isinstance(given, dict):
        fields = INPUTS.get(case.path.split("/")[-1].removesuffix(":execute"), {})
        case.body = {**case.body, "input": identified(fields, given)}
    else:
        case.body = identified(FIELDS, case.body)


@schemathesis.hook
def after_call(context, case, response):
    """Counts the answers of each path; a method that is not described is refused and counts apart."""
    if case.method.upper() != case.operation.method.upper():
        ANSWERS["other methods"] = ANSWERS.get("other methods", 0) + 1
        return
    of_path = ANSWERS["paths"].setdefault(f"{case.method} {case.path}", {})
    status = str(response.status_code)
    of_path[status] = of_path.get(status, 0) + 1


def write_answers():
    with open(os.environ["ACERVO_FUZZ_ANSWERS"], "w", encoding="utf-8") as file:
        json.dump(ANSWERS, file)


atexit.register(write_answers)


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
