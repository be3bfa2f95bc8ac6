"""A small service that answers what a test queues, and remembers what it received."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

CUT = "cut"
"""A reply that is none: the connection ends."""


class Received(NamedTuple):
    method: str
    url: str
    headers: dict[str, str]
    body: str


class Reply(NamedTuple):
    body: Any = {}
    status: int = 200
    headers: dict[str, str] = {}


class Service:
    def __init__(self) -> None:
        self.received: list[Received] = []
        self.replies: list[Reply | str] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.received.append(Received(self.command, self.path, headers, body))
                reply = service.replies.pop(0) if service.replies else Reply()
                if isinstance(reply, str):
                    self.close_connection = True
                    return
                text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
                self.send_response(reply.status)
                for name, value in {"content-length": str(len(text.encode())), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

            def log_message(self, format: str, *args: object) -> None:
                """Tests read `received` instead."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def failure(code: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """An error as the service writes it."""
    return {"code": code, "message": f"Sentence of {code}.", "details": details or {}, "request_id": "r-1"}
