"""SessionStart: a session starts, resumes, is cleared or was compacted.

stdin: the payload, one JSON object.
stdout: a JSON answer with the session's brief as `additionalContext`, or nothing.
Exits 0.
"""

import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import client

client.main("SessionStart", sys.argv[1:])
