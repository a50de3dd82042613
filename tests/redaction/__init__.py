"""How much redaction leaves over, and how much honest text it touches.

The cases are written from the vendors' published formats and from how people write, apart from the
rules; values are drawn when the tests run, so that no secret stands in the repository.
"""
