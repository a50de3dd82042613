"""SessionEnd: the session has ended.

stdin: the payload, one JSON object.
stdout: nothing.
Exits 0.
"""

import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import client

client.main("SessionEnd", sys.argv[1:])
