"""What the client loads where something is wrong, as the client finds it: beside itself, and beside no package."""

import sys

from hooklore.resident import client

sys.modules["client"] = client
sys.path.append(client.__file__.rpartition("/")[0])
try:
    import client_trouble
finally:
    sys.path.pop()
    del sys.modules["client"]

__all__ = ["client_trouble"]
