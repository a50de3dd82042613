"""List English evidence against a standing instruction, and evidence that counts for a neighbour."""

from hooklore.instructions.english.vocabulary import FILL, THINGS, TOOL
from hooklore.instructions.evidence import EvidenceRow

OBJECTIONS: tuple[EvidenceRow, ...] = (
    # against an instruction: an order for one task, a statement about the product, or talk
    (
        "once",
        -9,
        (
            r"\b(?:today|tonight|tomorrow|just this once|this (?:one )?(?:time|once)|"
            r"only this (?:time|once)|for now|"
            r"for the moment|for the next \w+|right now|until|till|temporarily|meanwhile|(?:touch|"
            r"change|edit|run|write|delete|commit|say) (?:anything|any code|any files),? just \w+|"
            r"while (?:the|it|i|we)|one[- ]off|at the moment|"
            r"for this (?:\w+ )?(?:run|request|commit|pr|call|task|one|test|time|ticket|branch|"
            r"release|change|fix|"
            r"demo|function|file)|(?:this|the current) (?:run|request|sprint|week|morning|"
            r"afternoon|hotfix|"
            r"release)|(?:merge|push|delete|commit|start|run|touch|stop|deploy|change|remove|"
            r"close) (?:\w+ ){0,2}yet)\b"
        ),
    ),
    (
        "once",
        -3,
        (
            r"\b(?:when|once|as soon as|after|if) (?:you(?:'re| are|'ve)? (?:done|finish|finished|"
            r"ready|through|"
            r"need|want|like|can|have time|get a chance)|i(?:'m| am)?|it|the \w+|that|this|"
            r"they)\b|"
            r"\b(?:the|your) (?:previous|last|first|other|second|next|above|current) \w+\b|"
            r"\b(?:option|approach|plan|variant|version) \w\b|\bagain(?: please)?$"
        ),
    ),
    (
        "task",
        -4,
        (
            rf"^{FILL}(?:fix|delete|rename|list|update|remove|replace|convert|migrate|format|find|"
            r"grep|search|sort|"
            r"count|show|print|check|run|review|reformat|clean up|move|translate|port|log|test|"
            r"document|refactor|"
            r"make) (?:me |for |up )?(?:all|every|each|any|the|both|some)\b"
        ),
    ),
    (
        "task",
        -12,
        (
            rf"^{FILL}(?:show|list|find|grep|search|count|tell)(?: me| for| up)? (?:all|every|"
            r"each|any|which|where|how)\b"
        ),
    ),
    (
        "task",
        -4,
        (
            rf"^{FILL}(?:give|show|list|send|tell|write|make|draft|print|get|build|create|add|"
            r"implement) (?:me |us )?"
            r"(?:a|an|some|one)\b|^i (?:need|want|would like|'d like) (?:a|an|you to (?:implement|"
            r"add|build|fix|"
            r"write a|create|make (?:a|the)))\b|^(?:use|pass|return|make|pick|try|put) (?:a|"
            r"an) [^,]*\bhere\b|"
            r"\b(?:please |can you |could you )?set up the\b"
        ),
    ),
    (
        "product",
        -9,
        (
            rf"^{FILL}(?:(?:the|an?|each|it|this|that|these|those|they|only the|only an?|there|"
            r"(?:our |the )?(?:users?|customers?|clients?)) [^,:;]*\b)(?:should|shouldn't|must|"
            r"mustn't|needs?|has to|have to|always|never|may|can|cannot|can't|will|prefers?|only|"
            r"is|are|was|"
            r"were|returns?|shows?)\b|^every (?:page|row|user|request|customer|button|item|call|"
            r"click|record)\b|"
            r"\bi (?:want|need|would like|expect)(?: for)? (?:the|this|that|each|"
            r"an?) \w+(?: \w+){0,3} to\b|\b(?:when|if|"
            r"whenever|every time|each time|once) (?:the|an?|it|i|that|this) ?(?:user|customer|"
            r"client|page|"
            r"form|button|server|request|response|build|migration|job|app|process|test fails|"
            r"click|save|open|try|start|"
            r"press|run it|load|call|fails?|crash\w*)\b"
        ),
    ),
    (
        "spot",
        -5,
        (
            r"\b(?:in|of|for|to|from|on|with|into|at) (?:the|this|that|my) (?:\w+ )?(?:export|"
            r"table|dialog|module|folder|directory|"
            r"page|form|function|class|method|component|footer|header|section|column|row|letter|"
            r"middleware|"
            r"module|demo|thread|dropdown|sidebar|screen|settings|menu|endpoint|service|jobs?|"
            r"worker|handler|"
            r"config|loop|dockerfile|makefile|container|volume|server|cluster|api|cli)\b|"
            r"\bin src\b|\b(?:src|lib|app|tests|docs)/|"
            r"\b\w+\(\)|\b(?:call|name|rename|use|set|make|move|put|"
            r"keep) the (?:\w+ )?(?:variable|function|method|class|file|field|"
            r"column|flag|key|param\w*|argument|service|option|value)\b|\b(?:a|an|the) (?:new|old|"
            r"second|right|wrong) \w+\b"
        ),
    ),
    (
        "spot",
        -5,
        (
            r"\band (?:push|merge|ship it|deploy|commit|open a pr|report|send|run it)$|"
            r"^(?:please )?stop (?:the|it|this|that)\b|"
            r"\bthe \w+ one\b|\b(?:go|going) (?:forward )?with (?:plan|option|approach)\b"
        ),
    ),
    (
        "ui",
        -4,
        (
            r"\b(?:users?|guests?|visitors?|customers?|players?|admins?|password|fields?|buttons?|"
            r"pages?|modals?|"
            r"dialogs?|forms?|sidebar|header|footer|menus?|toasts?|popups?|spinner|checkbox|"
            r"dropdown|homepage|"
            r"tooltip|avatar|cart|login|layout|font|icon|parser|cache|queue|worker|scheduler|bot|"
            r"null|undefined|4xx|5xx)\b"
        ),
    ),
    (
        "product",
        -4,
        (
            rf"^{FILL}(?:it|they|that|this) (?:should|shouldn't|must|mustn't|needs?|has to|"
            r"have to|always|never|may|can|"
            r"cannot|can't|will|prefers?|only|is|are|was|were|returns?|shows?)\b"
        ),
    ),
    (
        "product",
        -10,
        r"\bi (?:want|need|would like|expect|like|prefer) (?:the|this|each|an?) ",
    ),
    (
        "subject",
        10,
        (
            r"\bi (?:want|need|would like|expect|like|prefer) (?:the|each|an?) (?:\w+ )*(?:tests?|"
            r"commits?|commit messages?|prs?|comments|docs|errors|"
            r"answers|repl(?:y|ies)|messages|code|names|diffs?|plan|summary|explanation)\b"
        ),
    ),
    (
        "subject",
        7,
        (
            rf"^{FILL}(?:the|an?|each|this|these|those) (?:\w+ )*(?:{THINGS}|endpoint|function|"
            r"class|"
            r"module|test|pr|commit|branch|migration|script|component|package|dependency|import|"
            r"comment|docstring|"
            r"log message|error message|title|name|body|summary|answer|reply|rule|convention|"
            r"policy|command|"
            r"default|way|test command|build) (?:[\w']+ ){0,5}(?:should|shouldn't|must|mustn't|"
            r"needs?|has to|"
            r"have to|always|never|may|can|cannot|only|is|are|goes|go)\b"
        ),
    ),
    (
        "once",
        -9,
        (
            r"\b(?:in a hurry|urgent|emergency|asap|quickly|before i (?:look|check|review)|"
            r"first draft)\b|\bi (?:want|need|have) to (?:look|check|think|"
            r"test|review|see)\b|\bi'll (?:look|check|think|test|review)\b"
        ),
    ),
    ("spot", -5, r"\b(?:run|try|do|check|start|build|test) (?:it |that |them |this )?again\b"),
    ("liking", 4, r"\bnot (?:really )?(?:a|the biggest) (?:\w+ )?fan of\b"),
    ("again", 3, r"\breminder\b|\b(?:one more|one last|the last|hundredth) time\b|\bonce more\b"),
    (
        "past",
        -6,
        (
            r"\b(?:back then|in the old days|years ago|last (?:year|month)|in (?:19|20)\d\d|"
            r"at the time|originally|in those days)\b|"
            r"\b(?:always|never) \w+ed\b|\b(?:we|they|i) (?:decided|agreed) to\b"
        ),
    ),
    (
        "past",
        -4,
        (
            r"\b(?:we|they|i|you|he|she) (?:decided|wrote|were|was|had|tried|got|used to|thought|"
            r"noticed|found|"
            r"realised|realized|guess|wonder)\b|\bnever (?:seen|had|heard|been|got|worked|"
            r"happened|knew|found|"
            r"saw|mind|noticed|tried|used)\b|\bno (?:more |longer )?\w+ (?:fail\w*|left|found|"
            r"errors?|missing)\b|"
            r"\b(?:would|could) (?:be|have)\b|\b(?:people|folks|some|everyone|they|many) (?:say|"
            r"think|prefer|claim)\b|"
            r"\b(?:it|that) (?:prints|keeps|fails|crashes|works|breaks|comes|happens|shows)\b|"
            r"\bship it\b"
        ),
    ),
    (
        "told",
        -9,
        (
            rf"^{FILL}(?:translate|proofread|rephrase|summari[sz]e|paraphrase)\b|\b(?:that|which|"
            r"it|and) (?:says|reads|states)\b|\b(?:named|titled|called|labelled|"
            r"labeled) q|\b(?:the|a|an) (?:rule|section|note|line|paragraph|sentence|test|prompt|"
            r"check|setting|option|flag|hook|comment|warning|guide|post|"
            r"doc|template|message|checkbox)(?: \w+)? (?:that|which|saying|about|called|named)\b|"
            r"\b(?:if|when) (?:the|a|an|someone|somebody|people|the) (?:user |person |"
            r"customer |visitor )?(?:says|types|asks|writes|enters|clicks)\b|\b(?:your|our|"
            r"the) (?:\w+ )?(?:classifier|detector|regex|parser|bot)\b|\b(?:have|"
            r"need) to remember\b"
        ),
    ),
    # evidence for a neighbouring sentence
    (
        "job",
        -3,
        (
            r"^(?:please )?(?:make|change|rewrite|update|fix|extend) \S+(?:\(\)|\.\w{1,4}) |"
            r"\b(?:implement|build|add|fix|do|apply|change) (?:it|that|this|them)\b|\bgo ahead\b|"
            r"^(?:implement|add|build|create|write|make|generate|design|develop) (?:a|an|the|me)\b"
        ),
    ),
    (
        "around",
        4,
        (
            r"\b(?:that|this|it|same|which) (?:also )?(?:goes|applies|holds|counts|stands) (?:for|"
            r"to|in|with|"
            r"everywhere|always)\b|\b(?:in|for|on|across) (?:all|every|any) (?:my |our |of my |"
            r"of our )?\w+$|"
            r"^(?:always|ever|everywhere|every time|from now on|no exceptions?|please (?:remember|"
            r"stick)|"
            r"stick to (?:it|that)|that's (?:how|the (?:rule|way|policy|convention)|our|"
            r"what we))\b|"
            r"\b(?:from now on|in (?:the )?future|going forward|for good|permanently|as a rule)\b|"
            r"\b(?:please )?(?:follow|stick to|respect|remember) (?:that|it|this)\b"
        ),
    ),
    (
        "around",
        3,
        (
            r"\bevery (?:single )?(?:pr|commit|reply|answer|file|message|response|diff|branch|"
            r"test|task|time)\b|"
            r"\b(?:i(?:'ve| have)?|we) (?:already )?(?:said|told you|asked)\b|\byou (?:keep|"
            r"always|never|still|"
            r"constantly)\b|\bhow (?:many times|often)\b|\b(?:whole|entire) team\b|\bwe (?:don't|"
            r"never|always|"
            r"no longer|use|dropped|banned)\b|\bi (?:hate|can't stand|always|never|don't want|"
            r"don't need)\b|"
            rf"^not {TOOL}$|\byou(?:'ve| have)? (?:been|used|again)\b|"
            r"\b(?:is|are) (?:a leftover|legacy|deprecated|obsolete|dead|gone)\b|"
            r"\bpet peeve\b"
        ),
    ),
)
