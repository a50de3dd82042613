"""PreCompact: the conversation is about to be compacted.

stdin: the payload, one JSON object.
stdout: nothing: text here would become instructions to the summariser.
Exits 0.
"""

import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import client

client.main("PreCompact", sys.argv[1:])
