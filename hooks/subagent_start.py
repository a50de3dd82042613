"""SubagentStart: a subagent starts.

stdin: the payload, one JSON object.
stdout: a JSON answer with the brief for its type as `additionalContext`, or nothing.
Exits 0.
"""

import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import client

client.main("SubagentStart", sys.argv[1:])
