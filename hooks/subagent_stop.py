"""SubagentStop: a subagent has ended.

stdin: the payload, one JSON object.
stdout: nothing: text here would make the subagent go on.
Exits 0.
"""

import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import client

client.main("SubagentStop", sys.argv[1:])
