from __future__ import annotations

import asyncio
import json
import re

import pytest
from conftest import Coroutines, Waiting
from service import CUT, Reply, Service, failure

import acervo as package
from acervo._requests import pause_of

Client = Waiting | Coroutines
NOW = {"retry-after": "0"}


def test_fields_of_an_input_go_to_path_query_and_body(acervo: Client, service: Service) -> None:
    acervo.send("get_document_edges", document_code="D 1/2", neighbor_limit=5)
    acervo.send("execute_operation", code="areas.list", input={"limit": 1}, confirm=True)
    read, written = service.received
    assert (read.method, read.url, read.body) == ("GET", "/v1/documents/D%201%2F2/edges?neighbor_limit=5", "")
    assert (written.method, written.url) == ("POST", "/v1/operations/areas.list:execute")
    assert json.loads(written.body) == {"input": {"limit": 1}, "confirm": True}


def test_none_is_sent_and_an_absent_field_is_not(acervo: Client, service: Service) -> None:
    acervo.send("set_active_entity", entity_code=None)
    acervo.send("list_documents", limit=3)
    assert service.received[0].body == '{"entity_code": null}'
    assert service.received[1].url == "/v1/documents?limit=3"


def test_flags_and_lists_are_written_as_the_api_reads_them(acervo: Client, service: Service) -> None:
    acervo.send("list_processes", only_open=True)
    acervo.send("list_characteristics", document_types=["A", "B"])
    assert [each.url for each in service.received] == [
        "/v1/processes?only_open=true",
        "/v1/catalog/characteristics?document_types=A%2CB",
    ]


def test_a_field_of_the_path_is_not_left_out(acervo: Client, service: Service) -> None:
    with pytest.raises(TypeError, match="document_code"):
        acervo.send("get_document")
    assert service.received == []


def test_requests_carry_the_key_and_the_id_of_their_caller(acervo: Client, service: Service) -> None:
    acervo.send("get_session", request_id="mine")
    headers = service.received[0].headers
    assert (headers["authorization"], headers["x-request-id"]) == ("Bearer k", "mine")


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again(acervo: Client, service: Service, status: int) -> None:
    service.replies = [Reply(failure("RATE_LIMITED"), status, NOW), Reply({"group_code": "G"})]
    assert acervo.send("get_session") == {"group_code": "G"}
    assert len(service.received) == 2


def test_the_last_failure_is_raised_when_the_tries_are_used_up(acervo: Client, service: Service) -> None:
    service.replies = [Reply(failure("RATE_LIMITED"), 429, NOW)] * 2
    with pytest.raises(package.RateLimited):
        acervo.send("get_session")
    assert len(service.received) == 2


def test_a_write_repeats_a_cut_connection_under_one_key(acervo: Client, service: Service) -> None:
    service.replies = [CUT, Reply()]
    acervo.send("refresh_space", space_id=1)
    first, second = (each.headers["idempotency-key"] for each in service.received)
    assert first == second
    assert re.fullmatch(r"[\w-]{36}", first)


def test_a_write_takes_the_idempotency_key_of_its_caller(acervo: Client, service: Service) -> None:
    acervo.send("refresh_space", space_id=1, idempotency_key="once")
    assert service.received[0].headers["idempotency-key"] == "once"


def test_a_request_without_an_idempotency_key_is_not_repeated(acervo: Client, service: Service) -> None:
    service.replies = [CUT, Reply()]
    with pytest.raises(package.ConnectionFailed, match="check the address"):
        acervo.send("search_documents", query="a")
    assert len(service.received) == 1


def test_an_error_that_no_retry_repairs_is_raised_at_once(acervo: Client, service: Service) -> None:
    service.replies = [Reply(failure("INTERNAL_ERROR"), 500)]
    with pytest.raises(package.InternalFailure):
        acervo.send("get_session")
    assert len(service.received) == 1


def test_a_cancelled_task_ends_the_wait_for_the_next_try(service: Service) -> None:
    service.replies = [Reply(failure("INTERNAL_ERROR"), 503, {"retry-after": "30"})]

    async def run() -> None:
        async with package.AsyncAcervoClient(service.address, "k") as client:
            waiting = asyncio.create_task(client.get_session())
            while not service.received:
                await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting

    asyncio.run(run())
    assert len(service.received) == 1


def test_a_pause_follows_the_service_else_it_doubles_with_jitter() -> None:
    assert pause_of(0, "2", lambda: 0) == 2
    assert pause_of(0, "3600", lambda: 0) == 30
    assert [pause_of(turn, None, lambda: 1) for turn in range(3)] == [0.25, 0.5, 1]
    assert pause_of(20, None, lambda: 1) == 30


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "INVALID_REQUEST", package.InvalidRequest),
        (400, "INVALID_CONTEXT", package.InvalidContext),
        (401, "UNAUTHORIZED", package.Unauthorized),
        (402, "QUOTA_EXCEEDED", package.QuotaExceeded),
        (403, "FORBIDDEN", package.Forbidden),
        (404, "NOT_FOUND", package.NotFound),
        (409, "CONFLICT", package.Conflict),
        (409, "CONTEXT_CONFLICT", package.ContextConflict),
        (422, "VALIDATION_ERROR", package.ValidationFailed),
        (500, "PUBLIC_CODE_MAPPING_MISSING", package.InternalFailure),
        (418, "LATER_CODE", package.AcervoError),
    ],
)
def test_each_code_raises_its_class(
    acervo: Client, service: Service, status: int, code: str, kind: type[package.AcervoError]
) -> None:
    service.replies = [Reply(failure(code, {"missing_fields": ["query"]}), status)]
    with pytest.raises(kind) as raised:
        acervo.send("get_session")
    error = raised.value
    assert type(error) is kind
    assert (error.code, error.status, error.request_id) == (code, status, "r-1")
    assert error.details == {"missing_fields": ["query"]}
    assert str(error) == f"Sentence of {code}."


@pytest.mark.parametrize("status", [200, 302, 502])
def test_a_page_of_a_proxy_is_no_answer_of_the_api(acervo: Client, service: Service, status: int) -> None:
    service.replies = [Reply("<html>", status, {"location": f"{service.address}/v1/usage"})]
    with pytest.raises(package.UnexpectedAnswer):
        acervo.send("get_session")
    assert len(service.received) == 1


def test_documents_are_read_page_by_page_until_the_total(acervo: Client, service: Service) -> None:
    service.replies = [
        Reply({"documents": [{"code": code} for code in codes], "total": 3, "limit": 2}) for codes in ("ab", "c")
    ]
    assert acervo.all("documents", limit=2) == [{"code": "a"}, {"code": "b"}, {"code": "c"}]
    assert [each.url for each in service.received] == ["/v1/documents?limit=2&page=1", "/v1/documents?limit=2&page=2"]


@pytest.mark.parametrize("method", ["areas", "locations", "spaces"])
def test_lists_are_read_cursor_by_cursor_until_none(acervo: Client, service: Service, method: str) -> None:
    service.replies = [Reply({method: [1], "next_cursor": "c2"}), Reply({method: [2], "next_cursor": None})]
    assert acervo.all(method, limit=1) == [1, 2]
    assert [each.url for each in service.received] == [f"/v1/{method}?limit=1", f"/v1/{method}?limit=1&cursor=c2"]
