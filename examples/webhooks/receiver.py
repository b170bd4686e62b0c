"""Receives the messages of a webhook, and prints what each tells.

    curl -fO https://rates.example/client/vesfx.py
    VESFX_WEBHOOK_SECRET=whsec_… PORT=8000 python3 receiver.py

Python 3.8 or later, nothing to install. Put a web server with TLS in front. While you rotate the secret,
give both, separated by a space.
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Callable

from vesfx import VesfxError, WebhookMessage, verify_webhook

MAX_BODY_BYTES = 65_536
"""The service sends 20 kB at most."""


def serve(receive: Callable[[WebhookMessage], None]) -> None:
    """Gives each message that is the service's to `receive`. If that fails, the service sends it again."""
    secrets = os.environ["VESFX_WEBHOOK_SECRET"].split()

    class Receiver(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
                return self.answer(413)
            body = self.rfile.read(int(length))
            try:
                message = verify_webhook(self.headers, body, secrets)
            except VesfxError as error:
                self.log_error("%s", error)
                return self.answer(400)
            try:
                receive(message)
            except Exception as error:
                self.log_error("%s: %r", message.id, error)
                return self.answer(500)
            self.answer(204)

        def answer(self, status: int) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_request(self, code: object = "-", size: object = "-") -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


def tell(message: WebhookMessage) -> None:
    print(message.id, message.type, dict(message.data), flush=True)


if __name__ == "__main__":
    try:
        serve(tell)
    except KeyboardInterrupt:
        sys.exit(0)
