"""Weigh English evidence of a standing instruction: its duration, its owner, and its request."""

from hooklore.instructions.english.negative_evidence import OBJECTIONS
from hooklore.instructions.english.vocabulary import BEGIN, DO, PLACE, THINGS, TOOL
from hooklore.instructions.evidence import (
    EvidenceRow,
    EvidenceTable,
    SentenceContext,
    combine_evidence,
)

ROWS: tuple[EvidenceRow, ...] = (
    # duration
    ("scope", 4, r"\b(?:before|after|without|prior to) \w+ing\b"),
    (
        "scope",
        4,
        (
            r"^(?:and |also |but |ok |please )*(?:in|for|with|on|when (?:writing|using|"
            r"doing)) (?:all |any |every |our |my )?(?:commits?|commit messages|prs?|tests|docs|"
            r"comments|names|"
            r"errors|python|typescript|javascript|java|kotlin|ruby|swift|sql|bash|scripts|"
            r"migrations|strings|imports|dates|logging|rust|go|c\+\+|css|html|yaml|"
            r"json|shell|chat|code)(?: \w+)?(?:,|:| use| we| i| prefer| always| never| keep|"
            r" stick| go| no)"
        ),
    ),
    ("asks", 4, rf"^(?:\w+ )?{THINGS} (?:on|in|for|with|after|before|at|as|under|first|last)\b"),
    (
        "style",
        3,
        r"\b(?:english|japanese|german|french|spanish|italian|portuguese|chinese|korean|british|american)\b",
    ),
    (
        "asks",
        4,
        (
            r"\b(?:stop|quit) \w+ing\b|\b(?:hands off|off[- ]limits|a no[- ]go|is the law|"
            r"keep (?:\S+ ){1,4}to a minimum|limit yourself)\b"
        ),
    ),
    (
        "again",
        4,
        (
            r"\blike i (?:\w+ )?said\b|\b(?:told|asked|reminded) you (?:\w+ ){0,2}(?:twice|"
            r"already|before|times|yesterday)\b|\bi've (?:\w+ )?(?:said|asked|told)\b"
        ),
    ),
    (
        "ours",
        4,
        (
            r"\b(?:everyone|everybody|nobody|no one|all of us)(?: else)? (?:here|on|in|at|uses?|"
            r"runs?|writes?|does)\b|\bwe (?:do|practi[cs]e|work|stick|have a (?:rule|policy|"
            r"convention))\b"
        ),
    ),
    (
        "scope",
        5,
        (
            r"\b(?:from now on(?:wards?)?|from (?:here|this point|today|now|then) on(?:wards?)?|"
            r"(?:going|moving) "
            r"forwards?|henceforth|in (?:the )?future|for (?:the )?future|"
            r"future (?:\w+ )?(?:sessions?|tasks?|"
            r"work|prs?|commits?|changes?|chats?|conversations?|requests?|runs?|code|reference)|"
            r"(?:all|every|any|each) (?:later|future|following|subsequent|new|other|upcoming) \w+|"
            r"(?:all|every|any|each) (?:my |our |the )?(?:tasks?|sessions?|requests?|"
            r"conversations?|chats?|"
            r"prompts?|environments?|languages?|repl(?:y|ies)|answers?|responses?)|next time|"
            r"every ?(?:single )?time|each time|any ?time|whenever|at all times|by default|"
            r"as a (?:general )?(?:rule|matter of)|rule of thumb|in general|generally|as policy|"
            r"as (?:always|usual) in|in (?:case of )?doubt|when(?:ever)? unsure|whatever the|"
            r"no matter (?:what|the|which)|"
            r"without exception|no exceptions|permanently|for good|for ever|forever|"
            r"until (?:i say|told) "
            r"otherwise|across the board|(?:is|are|seems?|looks?) (?:unclear|ambiguous|vague|"
            r"not clear|underspecified)|standing (?:order|instruction|rule|request)|"
            r"house (?:style|rules?)|"
            r"in (?:every|each|all|any) (?:our |my |the |of )*(?:\w+ )?(?:repos?|projects?|"
            r"sessions?|files?|"
            r"languages?)|on principle|make it a (?:habit|rule|point)|(?:make a|the|a|"
            r"into the) habit|"
            r"from the start|for the rest of|as long as (?:we|you|i)|day to day|every day)\b"
        ),
    ),
    (
        "scope",
        4,
        (
            rf"{BEGIN}(?:always|never) \w+|\b(?:should|must|shall|are to|has to|have to|"
            r"needs? to) "
            r"(?:always|never)\b|\bnever ever\b|\bno \w+(?: \w+)?, ever\b|\bonly ever\b"
        ),
    ),
    (
        "scope",
        3,
        (
            r"\b(?:code|charts?|tables|text|commits?|prs?|docs?|diffs?|anything|everything|"
            r"whatever|"
            r"sql|\w+s)(?: that)? you (?:write|make|print|produce|generate|"
            r"create|give|show|send|open|draft|output|add|touch|edit|change|suggest|post|run|pick|"
            r"choose|"
            r"propose|generate|hand|deliver|quote|cite)\b"
        ),
    ),
    (
        "scope",
        3,
        (
            r"\b(?:when|if|once|before|after|as soon as|unless) (?:you(?:'re| are|'ve| have)?|"
            r"in doubt|unsure|"
            r"asked|told|i ask|i say|something|anything|a|an|any|every|each|there(?:'s| is| are)|"
            r"\w+ing) "
        ),
    ),
    (
        "scope",
        2,
        (
            r"\b(?:every|each|any|all|everywhere|consistently|usually|normally|typically|ever|"
            r"any ?more|"
            r"any longer|no longer|per (?:commit|pr|file|test|change|module|class|branch|ticket|"
            r"line)|"
            r"regardless|even (?:when|if|for)|strictly|exclusively|no matter|at least|at most|"
            r"max(?:imum)?|"
            r"under|no more than|not more than)\b"
        ),
    ),
    # owner: a team or a project
    (
        "ours",
        3,
        (
            r"\b(?:in|on|for|across|within|inside|throughout) (?:our|my|the whole|the entire|"
            r"all (?:our|my)) "
            rf"(?:\w+ )?{PLACE}s?\b|\b(?:around|over) here\b|\bour (?:\w+ )?(?:team|convention|"
            r"standard|rule|"
            r"policy|style|guide\w*|practice|setup|stack|shop|house)s?\b|\bthe (?:whole |entire |"
            r"rest of the )?"
            r"team\b|\b(?:team|company|house)[- ](?:wide|rule|style|policy|convention)|\b(?:my|"
            r"our) "
            r"(?:projects|repos|setup|workflow|codebase)\b|\bthe way (?:we|i) \w+|\bhow (?:we|"
            r"i) (?:work|do|"
            r"like|write|name|run|ship|test)|\bwe(?:'re| are) (?:on|using|all on|a|"
            r"standardi[sz]ed) \w+|"
            r"\bwe(?:'ve| have)? (?:all |only |just |now |always )?(?:dropped|ditched|"
            r"standardi[sz]ed|retired|"
            r"banned|settled on|agreed|use|run|write|name|keep|follow|squash|rebase|branch|ship|"
            r"target|"
            r"don't use|moved (?:to|off)|switched to|migrated to|left|do not use|don't do|"
            r"don't have|stick|format|put|call|test|deploy|pin|support|require)\b|"
            r"\bconventions?\b|\bour (?:\w+ )?ci\b|\bhere we\b|\b(?:is|are) (?:the|our|a) (?:rule|"
            r"standard|"
            r"convention|norm)\b|\bthe rule (?:here |is)|\bpolicy\b"
        ),
    ),
    ("ours", 4, rf"\b(?:in|on|for|across|within|inside|throughout) this (?:\w+ )?{PLACE}\b"),
    (
        "ours",
        5,
        (
            r"\b(?:we|nobody here|everyone here|no one here) (?:always|never|don't|do not|only|"
            r"strictly|exclusively) \w+|"
            r"\b(?:that|this|which)(?:'s| is) (?:not )?(?:how|what|the way) (?:we|everyone|"
            r"the (?:whole )?team)\b|"
            r"\bin this (?:\w+ )?(?:team|repo|project|codebase|company),? we\b"
        ),
    ),
    (
        "ours",
        2,
        r"\b(?:in|on|for) this (?:\w+ )?(?:repo|project)\b|\bhere\b|\b(?:we|our|us|ours)\b",
    ),
    # the user: preferences, environment, tasks of their own
    (
        "liking",
        4,
        (
            r"\bi(?:'d| would)? (?:much |really |strongly |generally |always |do |personally |"
            r"still |usually )*"
            r"(?:prefer|rather you|favou?r|insist)\b|\bmy (?:\w+ )?(?:preference|preferred|taste|"
            r"pet peeve|rule)\b|"
            r"\bi(?:'m| am) (?:\w+ )?(?:not a |no |a )?(?:\w+ )?fan of\b|\b(?:pet peeve|"
            r"deal-?breaker)\b"
        ),
    ),
    (
        "liking",
        3,
        (
            r"\bi(?:'d| would)? (?:\w+ )?(?:like|love|want|expect|need|appreciate|value|hate|"
            r"dislike|detest|"
            r"loathe|can't stand|cannot stand|don't like|do not like|don't want|do not want|"
            r"don't need|"
            r"do not need|don't care for|never want|can't read|don't read)\b|\b(?:drives|driving|"
            r"bugs|annoys|"
            r"annoying|irritat\w+|tired of|sick of|fed up with|allergic to|enough (?:of|with|"
            r"already)|"
            r"appreciate)\b|\bworks? (?:best|better) for me\b|\bmakes me\b|\b(?:noise|noisy|"
            r"distracting|a pain|unreadable|ugly)\b|\bi only (?:want|read|need|accept|use)\b"
        ),
    ),
    (
        "self",
        3,
        (
            r"\bi(?:'m| am) (?:\w+ )?(?:on|using|colou?r|dyslexic|left-handed|blind|running|"
            r"a native|not a native|"
            r"new to|based in|in the|in [a-z]+ time|working (?:on|from|in|with))\b|"
            r"\bmy (?:terminal|screen|machine|"
            r"laptop|shell|editor|os|keyboard|time ?zone|setup|name|eyes|pronouns?|english|box)\b|"
            r"\bcall me\b|"
            r"\bi (?:work|live|use|run|read|review|write|type|code) (?:in|on|with|from|everything|"
            r"my|all|only|"
            r"\w+ (?:daily|everywhere))\b"
        ),
    ),
    (
        "roles",
        4,
        (
            r"\b(?:leave|hand) (?:\w+ ){1,6}to me\b|\b(?:mine|my job|my call|my decision|"
            r"my task) to \w+|"
            r"\bi(?:'ll| will)? (?:do|handle|run|make|push|merge|commit|write|take care of|"
            r"deal with|deploy) "
            r"(?:\w+ ){0,4}(?:myself|on my own|by hand)\b|\byou (?:write|edit|propose|draft|"
            r"prepare|stage)\b.*\bi "
            r"(?:run|merge|push|decide|commit|apply|review|execute)\b|\blet me (?:choose|decide|"
            r"pick|review|approve|"
            r"confirm|run)\b|\b(?:is|are|stays?|remains?) (?:up to|with) me\b|\bonly i (?:may |"
            r"get to |"
            r"can )?\w+|\bmy (?:approval|okay|ok|permission|go-ahead|sign-off|consent)\b|"
            r"\b(?:ask|check with|consult|ping|warn) me (?:first|before|when|whenever|prior|"
            r"every)\b|"
            r"\b(?:without|before) (?:my|asking me|asking|telling me|checking with me)\b|"
            r"\basking me\b|\b(?:when|if|until|unless|once) i (?:explicitly )?(?:tell|ask|"
            r"asked|told|say|said|approve|confirm|request|okay)\b|\b(?:unless|until|if|"
            r"when) (?:explicitly )?(?:asked|told)\b|\bi do (?:the|all) \w+|\blet me (?:handle|"
            r"do)\b|\bi "
            r"(?:update|edit|write|run|do|merge|push|maintain|remove|manage|own|review) (?:it|"
            r"them|those|these|that)\b"
        ),
    ),
    # repetition of an instruction or of a mistake
    (
        "again",
        4,
        (
            r"\bi(?:'ve| have)? (?:already |just |literally )?(?:said|told you|asked you|"
            r"mentioned|asked for|"
            r"reminded you|explained) .*\b(?:already|before|yesterday|last (?:time|week)|as well|"
            r"twice|times|"
            r"earlier|again|repeatedly)\b|\b(?:how (?:many times|often)|once again|yet again|"
            r"again with|same "
            r"mistake|for the \w+ time|(?:second|third|fourth|nth|hundredth|umpteenth|"
            r"\d+\w\w) time)\b|\bas i "
            r"(?:\w+ )?(?:said|told|mentioned|keep)|\bi keep (?:telling|saying|asking|having|"
            r"deleting|removing|"
            r"reverting|fixing)\b|\byou (?:keep|kept|always|constantly|still|never|forgot|again|"
            r"continue to|"
            r"tend to|insist on|usually|often|love to) (?:\w+ )?\w+"
        ),
    ),
    (
        "again",
        3,
        (
            r"\bevery (?:single )?(?:pr|commit|reply|answer|file|message|response|diff|branch|"
            r"test|task|time|"
            r"day|week)\b.*\b(?:you|i|has|have|is|starts|ends|comes|get|got)\b|"
            r"\bafter every (?:single )?"
            r"\w+|\bthe last (?:few|two|three|couple)\b|\ball week\b|\bagain\b"
        ),
    ),
    # request
    (
        "asks",
        4,
        (
            r"(?:^|[,:;(] ?|\b(?:and|but|so|also|please|just|sake|ugh|then|"
            r"ok) )(?:please )?(?:don't|do not|never|"
            r"stop|quit|avoid|no more|refrain from|cut (?:out|the|it)|lay off|knock off|drop the|"
            r"spare me|enough "
            r"(?:with|of)|leave out|steer clear|stay (?:off|away|out)|keep away|hands off|"
            r"skip the|ditch the|get used to|only (?:use|commit|push|run|change|edit|write|touch|"
            r"add)|"
            r"no need (?:to|for)|(?:less|fewer) \w+|you (?:don't|needn't|do not|can|may|should|"
            r"must|shouldn't|"
            r"mustn't|shall|need to|have to|are (?:not )?allowed|are free) )\b"
        ),
    ),
    (
        "asks",
        3,
        (
            r"\b(?:make sure|be sure|see to it|make (?:it )?a (?:habit|point|rule)|get (?:in|"
            r"into) the habit|"
            r"try (?:not )?to|feel free|go ahead (?:and|without)|stick (?:to|with) (?:it|that|"
            r"them)?|"
            r"follow (?:that|it|them)|please (?:assume|follow|respect))\b"
        ),
    ),
    ("asks", 2, rf"{BEGIN}(?:please )?{DO}\b"),
    ("liking", 4, r"^(?:please |and |also |generally |in general,? )?(?:prefer|favou?r) \w"),
    (
        "reason",
        2,
        (
            r"\bso (?:please |just |you )?(?:don't|keep|give|use|no|skip|make|write|avoid|stick|"
            r"always|never|stay|check)\b"
        ),
    ),
    (
        "liking",
        4,
        r"\b(?:less|fewer) \w+,? (?:and )?more \w+|\bmore \w+,? (?:and )?(?:less|fewer) \w+",
    ),
    ("asks", 3, rf"^(?:\w+ )*{THINGS}(?: (?:in|for|of) \w+)?: ?\w"),
    (
        "asks",
        4,
        (
            rf"^(?:and |also |new |all |public |private |our |any |every |your )*{THINGS} (?:get|"
            r"gets|go|goes|live|lives|belong|belongs|stay|stays|"
            r"start|end|need|take|use|follow|come|should|must|are (?:written|named|always|never|"
            r"kept|to))\b"
        ),
    ),
    (
        "fact",
        4,
        (
            r"\b(?:the|our|your|my) (?:\w+ )?(?:package manager|build (?:tool|system|command)|"
            r"test (?:command|runner|suite)|formatter|linter|"
            r"(?:main|default|base|trunk|release|integration) branch|branch|ci|shell|database|db|"
            r"orm|framework|bundler|ticket prefix|"
            r"(?:minimum|target|supported) (?:\w+ )?version|code owners?|deploy(?:ment)? (?:tool|"
            r"command|target)|entry point)\b"
            r"[^,.]* (?:is|are|runs|lives)\b|\bis called \w+\b|\b(?:prod|production|staging|"
            r"ci) (?:is|runs|uses)\b"
        ),
    ),
    (
        "subject",
        7,
        (
            r"^(?:no, |nope, |and |but )*the (?:package manager|build tool|build system|"
            r"test command|test runner|formatter|linter|\w+ branch|"
            r"database|shell|ci)\b"
        ),
    ),
    (
        "asks",
        4,
        (
            r"^(?:and |also |so |please )*(?:every|each|all|any|new|all new|"
            r"every new) (?:\w+ ){0,2}(?:pr|prs|commits?|branch\w*|functions?|class\w*|files?|"
            r"modules?|tests?|migrations?|endpoints?|releases?|changes?|components?|tickets?|"
            r"quer(?:y|ies)|code|features?|apis?|scripts?|"
            r"descriptions?|names?|messages?|dependenc(?:y|ies)|secrets?|work) (?:\w+ )?(?:needs?|"
            r"gets?|must|should|goes|go|has to|have to|is|are|starts?|"
            r"ends?|comes?|requires?|lives?|uses?|belongs?)\b"
        ),
    ),
    (
        "asks",
        3,
        (
            r"^(?:and |also |please |you should )*(?:treat|consider|regard|assume)\b|"
            r"\bleave \S+ (?:\S+ ){0,4}alone\b"
        ),
    ),
    (
        "scope",
        4,
        (
            r"\bwhatever you (?:do|change|write|touch|build|make|add|work on|edit|produce)\b|"
            r"\b(?:before|after|whenever|every time) you (?:say|claim|tell|report|call|mark|"
            r"declare|finish|commit|push|"
            r"open|touch|edit|change|delete|add|start|write|merge|run|deploy|install)\b"
        ),
    ),
    ("scope", 3, r"\b(?:anything|everything|nothing|everywhere|every \w+ you)\b"),
    (
        "swap",
        4,
        (
            r"^(?:(?:no|nope|nah|wrong|incorrect|"
            r"not quite)[,.: -]+(?:\w+ )?(?:we )?(?:use )?)?(?:it's |it is |we use |that's |"
            rf"we're on )?{TOOL}(?: please| here)?$"
        ),
    ),
    ("roles", 4, r"\bi'm the (?:only )?one who\b|\bonly i \w+"),
    ("asks", 3, r"\bleave (?:\S+ ){1,4}out\b|\bkeep (?:\S+ ){1,4}out\b"),
    ("agent", 2, r"\b(?:with|to|for|at) me\b|\byou(?:r|'re)?\b|\bso (?:that )?i can\b"),
    (
        "asks",
        2,
        (
            rf"\b{THINGS}(?: \w+)* (?:should|must|shall|need|needs|has to|have to|go|goes|belong|"
            r"belongs|"
            r"stay|stays|live|lives|are (?:written|named|kept|done|required|to)|is (?:written|"
            r"done|required|to)|"
            r"get|gets|start|starts|end|ends|come|comes|use|uses|in|under|as)\b|\bonly$|"
            r"\b(?:first|please)$|"
            r"[,;:] no \w+|\bnothing \w+er\b|"
            r"\b(?:is|are) (?:forbidden|banned|out|off[- ]limits|not allowed|fine|required|"
            r"mandatory|a must|"
            r"not ok|not okay|unwelcome)\b|^no \w+|^(?:small|short|one|less|fewer|more|only|"
            r"always) \w+|\beach$"
        ),
    ),
    # topic
    ("thing", 2, rf"\b{THINGS}\b"),
    (
        "tool",
        4,
        r"^it(?:'s| is) [\w.+-]+(?: \w+)?(?: here| now|, not| in this|,? (?:for|across) (?:all|every))",
    ),
    ("tool", 2, rf"(?:^|[^\w-]){TOOL}(?:$|[^\w-])"),
    (
        "style",
        2,
        (
            r"\b(?:short|shorter|brief|briefly|concise|terse|compact|narrow|small|simple|plain|"
            r"detailed|verbose|"
            r"formal|informal|casual|polite|direct|blunt|honest|imperative|present tense|"
            r"past tense|lower ?case|"
            r"upper ?case|title case|sentence case|snake|camel|kebab|pascal|alphabetical\w*|"
            r"sorted|metric|"
            r"imperial|iso|utc|24[- ]hour|celsius|markdown|ascii|english|japanese|german|french|"
            r"spanish|italian|"
            r"portuguese|chinese|korean|dutch|russian|polish|british|american|日本語|英語|atomic|"
            r"one logical|"
            r"to the point|under \d+|\d+ (?:lines|characters|chars|words|columns|cols|sentences)|"
            r"bullet\w*|"
            r"conventional|semantic|functional|immutable|early returns?|explicit|descriptive|"
            r"readable)\b|日本語|英語"
        ),
    ),
    # correction
    (
        "no",
        2,
        (
            r"^(?:no|nope|nah|wrong|not (?:like )?that|that's (?:wrong|not)|incorrect|"
            r"another wrong|ugh|argh|"
            r"sigh|i (?:said|meant))\b"
        ),
    ),
    (
        "contrast",
        3,
        (
            r"(?:,|;| -| and| but) not \w+|^not \w+[,;:] ?\w+|\binstead of\b|\brather than\b|"
            r"\bover\b|\binstead$|\bnot \w+$|\bdrop(?:ped)? \w+\b|"
            r"(?:don't|do not|never|stop|quit) [^,]*, (?:but |just |only |instead |"
            rf"please )*{DO}\b"
        ),
    ),
    (
        "fact",
        3,
        r"\b(?:is|are|was) (?:a leftover|wrong|legacy|dead|deprecated|obsolete|gone|not (?:used|it))\b",
    ),
    (
        "swap",
        4,
        (
            rf"\bnot {TOOL}(?:\W+|$)(?:\w+ )?[\w.-]+$|[\w.+-]+,? (?:please,? )?(?:not|over|"
            rf"instead of|rather than|never) (?:\w+ )?{TOOL}(?:$|[^\w-])"
        ),
    ),
    (
        "agent",
        4,
        (
            r"^(?:speak|talk|reply|answer|respond|write) (?:to me )?(?:\w+ )?(?:in )?(?:english|"
            r"japanese|german|"
            r"french|spanish|italian|portuguese|chinese|korean|日本語|英語)\b"
        ),
    ),
)
EVIDENCE_TABLE = EvidenceTable((*ROWS, *OBJECTIONS))
LEAST = 7
"""Total weight from which a sentence is an instruction."""
SURE = 10
"""Total weight from which an instruction needs no approval."""


def weigh_english_evidence(text: str, around: SentenceContext) -> dict[str, int]:
    """Return the evidence in a sentence, and the evidence that its context has for it."""
    return combine_evidence(EVIDENCE_TABLE, text, around)
