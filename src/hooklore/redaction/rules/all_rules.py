"""All rules in the order in which they are read, and which of their prefilters one automaton holds."""

from hooklore.redaction.folding import FOLDABLE
from hooklore.redaction.pattern import Rule
from hooklore.redaction.rules.assignments import ASSIGNMENTS
from hooklore.redaction.rules.client_calls import CLIENT_CALLS
from hooklore.redaction.rules.codes import (
    ACCESS_CODES,
    CHOSEN_PHRASES,
    CODE_MEMBERS,
    KEY_GROUPS,
    RECOVERY_CODES,
    RECOVERY_LINES,
    REVERSED_CODES,
    SEED_PHRASES,
)
from hooklore.redaction.rules.command_arguments import COMMAND_ARGUMENTS
from hooklore.redaction.rules.command_flags import COMMAND_FLAGS
from hooklore.redaction.rules.commands import (
    AUTH_SCHEMES,
    COMMANDS,
    COOKIES,
    FLAGS,
    PIPED_SECRETS,
)
from hooklore.redaction.rules.containers import ELEMENTS, MANIFESTS, TABLES, YAML_BLOCKS
from hooklore.redaction.rules.encoded_runs import ENCODED_RUNS
from hooklore.redaction.rules.entered import ENTERED
from hooklore.redaction.rules.handed_over import HANDED_OVER
from hooklore.redaction.rules.hashes import HASHES
from hooklore.redaction.rules.high_entropy import HIGH_ENTROPY
from hooklore.redaction.rules.japanese import JAPANESE, WATCHWORDS
from hooklore.redaction.rules.labelled_layouts import LABELLED_LAYOUTS
from hooklore.redaction.rules.logins import (
    BESIDE_ACCOUNTS,
    LOGIN_CALLS,
    LOGINS,
    LOGINS_BEFORE,
    SECRET_ARGUMENTS,
    SHORT_PAIRS,
)
from hooklore.redaction.rules.named_apart import (
    FALLBACKS,
    NAMED_APART,
    SETTING_LINES,
    VALUES_FIRST,
)
from hooklore.redaction.rules.named_settings import NAMED_SETTINGS
from hooklore.redaction.rules.personal_data import (
    CALLED_PHONES,
    CARDS,
    CITIZEN_NUMBERS,
    EMAILS,
    PHONES,
)
from hooklore.redaction.rules.plain_words import SECRET_ANSWERS
from hooklore.redaction.rules.postal import (
    EUROPEAN_ADDRESSES,
    JAPANESE_ADDRESSES,
    WESTERN_ADDRESSES,
)
from hooklore.redaction.rules.printed import MARKED_VALUES, PRINTED
from hooklore.redaction.rules.private_keys_and_urls import (
    PRIVATE_KEYS,
    URL_CREDENTIALS,
    URL_QUERIES,
)
from hooklore.redaction.rules.protocols import SENT_FIELDS
from hooklore.redaction.rules.scrub_command import SCRUB_COMMANDS
from hooklore.redaction.rules.seed_words import SEED_WORDS
from hooklore.redaction.rules.service_keys import SERVICE_KEYS
from hooklore.redaction.rules.stated import NATIVE, NEW_WORDS, STATED
from hooklore.redaction.rules.statements import (
    CONFIG_COMMANDS,
    DIRECTIVES,
    SQL_INSERTS,
)
from hooklore.redaction.rules.vendor_tokens import MARKED_TOKENS, VENDOR_TOKENS, WORD_TOKENS

ALL_RULES: tuple[Rule, ...] = (
    PRIVATE_KEYS,
    VENDOR_TOKENS,
    WORD_TOKENS,
    MARKED_TOKENS,
    MARKED_VALUES,
    FALLBACKS,
    NAMED_APART,
    HASHES,
    URL_CREDENTIALS,
    URL_QUERIES,
    ASSIGNMENTS,
    SERVICE_KEYS,
    CLIENT_CALLS,
    FLAGS,
    COMMANDS,
    COMMAND_FLAGS,
    COMMAND_ARGUMENTS,
    PIPED_SECRETS,
    AUTH_SCHEMES,
    COOKIES,
    SETTING_LINES,
    SCRUB_COMMANDS,
    LOGIN_CALLS,
    SECRET_ARGUMENTS,
    HANDED_OVER,
    SENT_FIELDS,
    SQL_INSERTS,
    DIRECTIVES,
    CONFIG_COMMANDS,
    VALUES_FIRST,
    TABLES,
    ELEMENTS,
    MANIFESTS,
    YAML_BLOCKS,
    NAMED_SETTINGS,
    JAPANESE,
    WATCHWORDS,
    STATED,
    NATIVE,
    NEW_WORDS,
    PRINTED,
    SECRET_ANSWERS,
    ENTERED,
    LOGINS,
    BESIDE_ACCOUNTS,
    SHORT_PAIRS,
    LOGINS_BEFORE,
    ACCESS_CODES,
    REVERSED_CODES,
    CODE_MEMBERS,
    RECOVERY_CODES,
    RECOVERY_LINES,
    SEED_PHRASES,
    SEED_WORDS,
    KEY_GROUPS,
    CHOSEN_PHRASES,
    CALLED_PHONES,
    CITIZEN_NUMBERS,
    EMAILS,
    PHONES,
    CARDS,
    JAPANESE_ADDRESSES,
    WESTERN_ADDRESSES,
    EUROPEAN_ADDRESSES,
    LABELLED_LAYOUTS,
    HIGH_ENTROPY,
    ENCODED_RUNS,
)

READ_TOGETHER: tuple[tuple[str, ...], ...] = (
    (
        URL_QUERIES.prefilter,
        ENCODED_RUNS.prefilter,
        CODE_MEMBERS.prefilter,
        VALUES_FIRST.prefilter,
        ELEMENTS.prefilter,
        FALLBACKS.prefilter,
    ),
    (
        JAPANESE.prefilter,
        STATED.prefilter,
        NATIVE.prefilter,
        NEW_WORDS.prefilter,
        ENTERED.prefilter,
        LOGINS.prefilter,
        BESIDE_ACCOUNTS.prefilter,
        LOGINS_BEFORE.prefilter,
        CALLED_PHONES.prefilter,
        ASSIGNMENTS.prefilter,
        NAMED_APART.prefilter,
        SETTING_LINES.prefilter,
        NAMED_SETTINGS.prefilter,
        RECOVERY_CODES.prefilter,
        ACCESS_CODES.prefilter,
        CHOSEN_PHRASES.prefilter,
        SEED_PHRASES.prefilter,
        WATCHWORDS.prefilter,
        CONFIG_COMMANDS.prefilter,
        CITIZEN_NUMBERS.prefilter,
        JAPANESE_ADDRESSES.prefilter,
        COOKIES.prefilter,
    ),
    (
        FLAGS.prefilter,
        TABLES.prefilter,
    ),
    (
        LOGIN_CALLS.prefilter,
        SECRET_ARGUMENTS.prefilter,
        HASHES.prefilter,
        SQL_INSERTS.prefilter,
        HANDED_OVER.prefilter,
        SCRUB_COMMANDS.prefilter,
        SERVICE_KEYS.prefilter,
        CLIENT_CALLS.prefilter,
        SENT_FIELDS.prefilter,
        SECRET_ANSWERS.prefilter,
        MARKED_TOKENS.prefilter,
        AUTH_SCHEMES.prefilter,
        KEY_GROUPS.prefilter,
        PRIVATE_KEYS.prefilter,
        MARKED_VALUES.prefilter,
        REVERSED_CODES.prefilter,
        DIRECTIVES.prefilter,
    ),
    (
        COMMANDS.prefilter,
        LABELLED_LAYOUTS.prefilter,
        CARDS.prefilter,
        PHONES.prefilter,
        MANIFESTS.prefilter,
        PIPED_SECRETS.prefilter,
    ),
    (PRINTED.prefilter,),
    (
        SHORT_PAIRS.prefilter,
        FOLDABLE,
        COMMAND_FLAGS.prefilter,
        EMAILS.prefilter,
        WESTERN_ADDRESSES.prefilter,
        EUROPEAN_ADDRESSES.prefilter,
        YAML_BLOCKS.prefilter,
    ),
    (
        COMMAND_ARGUMENTS.prefilter,
        URL_CREDENTIALS.prefilter,
    ),
)
"""The prefilters in a few sets, each read in one pass. States of words add up, those of repetitions multiply. By
how much is seen on texts alone, so that `python -m tests.redaction.prefilter_sets` looks for a division.
Prefilters that stand in no set share a further one.
"""
