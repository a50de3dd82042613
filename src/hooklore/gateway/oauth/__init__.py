"""Let programs that take nothing but OAuth 2.1 ask for a token, which a person allows by a code of their terminal.

Only `hooklore gateway --oauth` imports this package: the SDK's part of it takes as much memory as all else.
"""
