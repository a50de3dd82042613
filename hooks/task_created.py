"""TaskCreated: a task was created.

stdin: the payload, one JSON object.
stdout: nothing.
Exits 0.
"""

import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import client

client.main("TaskCreated", sys.argv[1:])
