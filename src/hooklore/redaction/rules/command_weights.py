"""Weights of the model of commands, written by `python -m tests.redaction.command_training`."""

# fmt: off
BIAS = 0.08

WEIGHTS: dict[str, dict[str, float]] = {
    "1<": {
        "'·": 0.31, "--instance-ids": -0.17, "--kennwort": 0.03, "-p": 1.51, "-u": -2.64, "/·": -0.21, ":·": 0.42,
        "aes000": 0.05, "echo": 0.05, "passwd": -0.23,
    },
    "1>": {
        "&&": -1.02, "--aktion": 0.03, "-p": -0.79, "|": 0.49, '·"': 2.24, "·'": 1.26, "·@": 0.21, "·@//": 0.71,
    },
    "2<": {
        "\\": -0.21, "ecparam": -0.19, "fritz.py": 0.04, "http-basic.rep~": 0.73, "password": 0.14,
    },
    "3<": {
        '"': 0.5, "#": -0.33, "&&": -2.45, "--global": 0.44, "-s": 2.42, "/": -1.4, ":": -1.81, "://": 0.73,
        "git": -0.76, "mosquitto": -0.34, "tiktoken.get_e~": -0.11,
    },
    "announced": {
        "True": 2.99,
    },
    "capital": {
        "False": 0.46, "True": -1.45,
    },
    "changes": {
        "0": -2.68, "1": -0.88, "3": 0.26, "4": 1.36, "6": 1.14,
    },
    "digits": {
        "1": -2.73, "3": 0.58,
    },
    "form": {
        "CHOSEN": 1.6,
    },
    "form 1<": {
        "KEY :·": 0.1, 'WORD_AND_DIGITS "·': 1.24, "WORD_AND_DIGITS '·": 1.07, "WORD_AND_DIGITS -name": -0.04,
        "WORD_AND_DIGITS =·": -0.23, "WORD_AND_DIGITS passwd": -0.53,
    },
    "form 1>": {
        "KEY 見積書一式.zip": 0.12, "WORD_AND_DIGITS --aktion": 0.13, "WORD_AND_DIGITS ·@//": 0.46,
    },
    "has": {
        "-": -2.36, ".": -1.81, "_": 0.43, "sign": 0.58,
    },
    "like": {
        "hex": -2.89,
    },
    "near": {
        "#": -2.21, "$ch": 0.03, "&&": -0.45, "'": 0.6, ",": 0.1, "--kennwort": 0.11, "--name": 0.3,
        "--recv-keys": -6.89, "-c": -1.69, "-h": 1.27, "-k": 1.9, "-name": -0.06, "-s": 0.79, "-tzip": 0.21,
        "-u": 1.63, ".ssh": -0.24, "/": -0.35, "00.0.0.0": 0.47, "000000000000": -1.66, ":": 0.61, "://": 0.88,
        "@": 0.11, "add": -1.68, "aes000": 0.03, "auth": 1.59, "cmdkey": -2.01, "create": -0.58, "curl": 0.44,
        "dev": -1.68, "e": -0.12, "ecparam": -0.04, "for": -2.06, "fritz.py": 0.38, "fritz0000": 0.16,
        "git": -0.04, "https": 0.29, "login_sid.lua?~": 0.02, "mosquitto": -0.16, "mosquitto_passwd": -0.24,
        "python": -3.19, "response": 0.06, "s": 0.37, "tiktoken": -0.97, "tiktoken.get_e~": -1.23, "wp": -0.92,
        "|": -3.31,
    },
    "program": {
        "a": 0.1, "aws": -0.32, "curl": 0.11, "echo": 1.73, "git": -3.2, "mosquitto_passwd": -0.34, "printf": 0.71,
        "wp": -0.6,
    },
    "size": {
        "10": 0.25, "2": -1.81, "3": -0.6, "4": 0.39, "6": -0.43, "8": 0.49,
    },
}
# fmt: on
