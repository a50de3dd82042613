"""PostToolUseFailure: a tool has failed.

stdin: the payload, one JSON object.
stdout: a JSON answer with the fix that worked for this failure before, or nothing.
Exits 0.
"""

import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import client

client.main("PostToolUseFailure", sys.argv[1:])
