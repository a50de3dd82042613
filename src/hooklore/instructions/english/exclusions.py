"""Match English sentences that resemble instructions: questions, reports, orders for one task."""

import re

from hooklore.instructions.english.phrases import FILL, LEAD

ONE_OFF = re.compile(
    r"\b(?:yet|for now|right now|just now|this time|just this|today|tonight|tomorrow|"
    r"this (?:morning|week|afternoon|evening|sprint|"
    r"once)|for the moment|at the moment|temporarily|until|till|once(?! a\b)|meanwhile|"
    r"while i|again and|first and then|currently|now$)\b"
    r"|\b(?:this|that|these|those)\b(?! (?:repo|repository|project|codebase|code base|"
    r"team|company|monorepo|workspace|"
    r"organi[sz]ation|house)\b)(?<!not that)(?<!not like that)"
    r"(?<!s that)(?<!note that)(?<!sure that)(?<!so that)(?<!mind that)(?<!remember th"
    r"at)(?<!that that)(?! you|'s|is | is | in mind)"
    r"|\b(?:the|my) (?:first|second|third|last|other|current|previous|next|old|above|"
    r"latter|former) (?:one|two|option|approach|"
    r"file|branch|version|draft|idea|solution|variant|commit)\b"
    r"|\b(?:anything|everything|nothing|something) else\b|\b(?:do not|don't) (?:touch|"
    r"change|do|edit|modify|run|write|delete|break|start|commit|say) (?:anything|"
    r"any code|any files|nothing)\b(?! (?:without|unless|in|on|to|before|under))"
    r"|\b[\w/-]{1,80}\.(?:py|js|tsx?|jsx|go|rs|java|rb|c|h|cpp|txt|json|toml|ya?ml|css|"
    r"html|sql|sh|md)\b|\b(?:in|to|of|from|for) (?:[\w/]{1,40}_\w{1,40}|\w{1,40}\(\))"
    r"|\bthe rest\b|\bother (?:files|parts|tests|things)\b|\b(?:it|them) (?:instead|"
    r"rather)|\binstead of it\b|\b(?:option|approach|variant|plan|version|step|"
    r"case) [a-d1-9]\b"
    r"|\b(?:lines?|page|port|row|step|item|issue|ticket|pr|commit|#) ?#?\d+"
)
KEEPS = re.compile(
    r"\b(?:from now on|from here on|going forward|moving forward|in (?:the )?future|"
    r"henceforth|every ?time|whenever|each time|"
    r"next time|habit|make it a (?:rule|point)|whatever you do|under no circumstances)\b|"
    r"^(?:\W*please )?(?:always|"
    r"never)\b"
)
QUESTION = re.compile(
    r"^(?:(?:and|but|so|ok|okay|well|hey|hm+|also|wait|btw|by the way|actually|no|yes|"
    r"quick question|question|just curious|i wonder)[,: ]+){0,3}"
    r"(?:what|why|how|where|which|who|whose|do(?!n't| not)|does|did|is|are|was|were|"
    r"will|have(?! your| the)|has|had|should (?:we|i|it|this|the|they|that)|"
    r"shall|am i|isn'?t|aren'?t|doesn'?t|didn'?t|can (?:we|i|it|this|the)|may i|might|"
    r"could (?:we|i|it|this)|would (?:it|we|this|that|they)|"
    r"(?:can|could|would|will|won't|can't) you|wonder\w*|any (?:idea|reason)|"
    r"when (?:do|does|did|will|is|are|should|was)|"
    r"tell me|explain (?:why|how|what|when|to me)|i wonder|curious)\b"
)
POLITE = re.compile(
    rf"^{FILL}(?:can|could|would|will) you (?:please )?.{{0,200}}\b(?:from now on|"
    r"going forward|in (?:the )?future|every time|"
    r"whenever)\b|^(?:from now on|going forward|in (?:the )?future),? (?:can|could|"
    r"would) you\b"
    r"|^(?:(?:can|could|would|will) you (?:please )?|how about you |would you mind )"
    r"(?:always|never|stop\w*|quit\w*|not) "
)
REPORT = re.compile(
    # a wish or statement of somebody else
    r"(?<!')\b(?!(?:i|we|you|get|getting|nobody|anyone|team|always|never|really|also|just|"
    r"still|only|do)\b)\w+(?:'s)? (?:said|says|told|tells|wants?|wanted|asked|"
    r"asks|suggest(?:s|ed)|recommend(?:s|ed|ing)?|wrote|writes|thinks?|"
    r"thought|claim(?:s|ed)|insist(?:s|ed)|argues?|argued|believes?|mentioned|states?|"
    r"stated|advises?|prefers|preferred|likes|hates|complains?|complained|"
    r"keeps saying|used to)\b(?<!as i said)"
    r"|\baccording to\b|\b(?:i|we) (?:read (?:that|about|somewhere|in|on|an?)|heard|saw|"
    r"learned|noticed|found|wonder|"
    r"thought|was told|were told|used to|think (?:we|i|they|the|it)|guess)\b"
    r"|\b(?:he|she|they) (?:always|never|don't|do not|use|used|prefer|should)\b"
    r"|\b(?:imagine|suppose|(?<!should )(?<!please )(?<!don't )(?<!must )(?<!, )assume|"
    r"what if|e\.g|for example|for instance|"
    r"hypothetically|let's say)\b"
    r"|\bi (?:always|never|don't|usually) (?:forget|get|see|know|remember|understand|"
    r"have|had|found|find|struggle|wonder|end up|"
    r"thought|knew|liked|heard|saw|got|lose|mix|confuse|think|expect)\b"
    r"|(?<!you )\b(?:not|\w+n't) (?:saying|suggesting|asking|implying|have to|need to|"
    r"necessarily|mean|meant|think|believe|want to say|that (?:we|you|i))\b"
    r"|\bnext time (?:i|it|we)\b(?! want| need)|\bi(?:'ll| will| would|'d) (?:always|"
    r"never|just)\b|\bi've (?:always|never)\b|\b(?:always|never) (?:been|was|were|"
    r"had)\b"
    r"|\b(?:good|nice|glad|great|happy|funny|weird|strange|interesting) (?:that|"
    r"to (?:see|know|hear))\b|\bsame as always\b|\bas (?:always|usual)\b(?! in (?:this|"
    r"our))"
    r"|^(?:never ?mind|no (?:worries|problem|idea|thanks|thank|rush|hurry|clue|luck|"
    r"change|changes|errors?|difference|need to worry|"
    r"doubt|wonder|way|one|biggie|issues?|update|updates)\b)"
)
TASK = re.compile(
    rf"^{FILL}(?:add|create|implement|fix|build|generate|refactor|rename|update|"
    r"change|remove|delete|move|extract|replace|convert|"
    r"translate|summari[sz]e|draft|design|investigate|look|find|search|debug|explain|"
    r"check|set up|make (?:the|a|it|this|an)|"
    r"write (?:a|an|the|me|some|tests? for|unit tests? for)|let me|show|give|open|read|"
    r"go|try(?! to)|continue|apply|revert|undo|help|compare|review|print|"
    r"list|render|sort the|parse|port|migrate|wire|hook|expose|bring|copy|paste|insert|"
    r"append|i (?:want|need|would like|'d like) to|"
    r"we (?:want|need|have) to)\b"
)
THE_ONE = re.compile(
    rf"{LEAD}(?:do not|don'?t|stop|avoid|quit) (?:\w+ ){{1,2}}(?:the|it|them|him|"
    r"her)\b(?! (?:\w+ )?\w+s\b)(?! (?:\w+ )?(?:code|main|database|production|user))"
)
OPAQUE_ONLY = re.compile(r"^[\Wq]*$")
LIKE_THIS = re.compile(
    r"\b(?:like|do|doing) (?:this|that)(?=\W*$|[,;:]| (?:again|here|in|for|when|anymore)\b)"
)
