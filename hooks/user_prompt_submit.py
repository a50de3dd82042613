"""UserPromptSubmit: the user has sent a prompt.

stdin: the payload, one JSON object.
stdout: a JSON answer with what bears on this prompt as `additionalContext`, or nothing.
Exits 0.
"""

import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import client

client.main("UserPromptSubmit", sys.argv[1:])
