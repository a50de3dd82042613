"""PreToolUse: a tool is about to run.

stdin: the payload, one JSON object.
stdout: a JSON answer with constraints and procedures for this file or command, or nothing.
Exits 0.
"""

import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import client

client.main("PreToolUse", sys.argv[1:])
