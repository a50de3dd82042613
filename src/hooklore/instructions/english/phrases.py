"""List the words and forms of instructions in English."""

import re

from hooklore.agents.registry import spoken_names

NAMES = spoken_names()
FILL = (
    r"(?:(?:please|pls|plz|and|also|but|so|then|just|ok|okay|btw|by the way|oh|"
    r"one (?:more |last )?thing|another thing|note|"
    rf"hey|well|actually|for the record|as (?:i|we) said(?: before)?|again|{NAMES}|"
    r"thanks|thank you|great|good|"
    r"nice|looks good|lgtm|yes|yeah|fine|perfect|hmm+|wait|sorry|no|nope|wrong|"
    r"important|reminder|rule|fyi|"
    r"in general|generally|as a rule(?: of thumb)?|by default|in (?:the )?future|"
    r"from now on|from here on(?: out)?|going "
    r"forward|for future reference|henceforth|for next time|next time|at least|"
    r"preferably|ideally|"
    r"not like that|not that|not quite|incorrect|i (?:said|meant)|you should|you must|"
    r"you need to|you have to|"
    r"make sure (?:you |to |that you )?|be sure to|try to|let's|let us|i want you to|"
    r"i'd like you to|i need you to|"
    r"(?:in|for|on|with|inside|across) (?:this|our|my|the|all|any|"
    r"every) (?:\w+ ){0,2}?(?:repo|repository|project|codebase|"
    r"code base|team|company|monorepo|package|code|tests?|files?|modules?|services?|"
    r"prs?|commits?))"
    r"[,:;! -]+){0,5}"
)
LEAD = rf"(?:^|[,:)(]\s*|\b(?:but|also|so)\s+){FILL}"
HABIT = (
    r"(?:use|branch|write|put|name|keep|prefer|run|format|indent|commit|squash|rebase|merge|"
    r"go with|stick (?:to|with)|call|follow|"
    r"test|deploy|pin|install|import|return|store|log|document|lint|target|sort|group|"
    r"order|place|prefix|do|push|mock|"
    r"allow|want|ship|add|nest|catch|throw|inline|abbreviate|include|wrap|build|"
    r"generate|edit|touch|version|tag|"
    r"capitali[sz]e|start|end|review|require|ask|support|release|publish|spell|avoid|"
    r"hardcode|hard-code|bump)"
)
CHOOSE = (
    r"(?:use|go with|stick (?:to|with)|switch to|prefer|write|put|name|call|import|"
    r"format|indent|follow|pick|choose|"
    r"make it|keep|run|return|store|target|import|raise|throw|place|pin|install|log|"
    r"type|spell|do)"
)
PICK = (
    r"(?:use|go with|stick (?:to|with)|switch to|prefer|write|format|indent|follow|"
    r"pick|choose|install|spell|log|import|keep)"
)
NOUN = (
    r"(?:commit(?: message)?s?|messages?|comments?|docstrings?|docs?|documentation|"
    r"prs?|pull requests?|merge requests?|branch(?:es)?|"
    r"(?:branch|variable|function|file|class|method|test|column|table|module|type|"
    r"field|key|event|job|env(?:ironment)? variable) "
    r"names?|names|naming|tests?|test (?:files|cases|names)|(?:log|error|"
    r"exception) messages?|logs|errors|exceptions|answers?|repl(?:y|ies)|responses?|"
    r"explanations?|summar(?:y|ies)|reports?|functions?|methods?|classes|files|modules|"
    r"imports?|types|type hints|annotations|"
    r"indentation|code|style|changelogs?|changelog entries|releases?|versions?|"
    r"migrations?|queries|sql|endpoints?|routes|apis?|dates|"
    r"timestamps|times|numbers|config(?:uration)?|settings|constants|enums|"
    r"dependencies|packages|titles|descriptions|"
    r"(?:pr|mr|commit|pull request|issue|ticket) (?:titles?|descriptions?|bodies|"
    r"messages?|subjects?)|subject lines?|lines|ui (?:text|copy|strings)|copy|labels|"
    r"diffs|scripts?|fixtures|mocks|"
    r"snapshots|secrets|credentials|reviews|todos|strings|ids|urls|paths|everything|"
    r"nothing|each \w+|every \w+|all \w+|any \w+|new \w+|output|prose|"
    r"text|translations|headings|lists|tables|columns|variables|components|handlers|"
    r"hooks|plans|steps|questions)"
)
LANGUAGE = (
    r"(?:english|japanese|german|french|spanish|italian|portuguese|chinese|korean|"
    r"dutch|russian|polish|british english|"
    r"american english|plain english|us english|uk english)"
)
PAST = (
    r"(?:mind|got|worked|happened|found|seen|had|did|was|were|again|heard|knew|ran|"
    r"came|went|saw|thought|been|told|"
    r"made|wrote|took|gave|left|kept|said|gets|really|even|actually|quite|once|fully|"
    r"\w+ed(?<!need)(?<!feed)(?<!embed))\b"
)
NOT_TO = (
    r"(?:worry|bother|know|mind|forget|think|see|understand|get|care|have|need|"
    r"remember|believe|recall|feel|find|panic|"
    r"hesitate|give up|sweat|be|let|wait|tell|show|hate|love|agree|quite|seem)"
)
POSITIVE: tuple[str, ...] = (
    # always or never with an imperative, or with a habit after you, we or I
    (
        rf"{LEAD}(?:always|never(?! {PAST})|only ever) (?!\w*(?:[^s]s|ed|"
        r"ing)\b(?<!process)(?<!embed)(?<!feed)(?<!seed)"
        r"(?<!speed)(?<!proceed)(?<!need)(?<!alias)(?<!canvas))\w+"
    ),
    (
        rf"\b(?:you|we|{NAMES}|agents?) (?:should|must|need to|have to|are to|may) (?:always|"
        r"never|only ever) \w+"
    ),
    rf"\b(?:you|we) (?:never|always) (?!{PAST}){HABIT}\b",
    r"\b(?:you|we) (?:always|never) (?:need|have) to \w+",
    (
        r"\b(?:we|i) (?:always|never|only|strictly|exclusively) (?!run (?:out|into)|"
        rf"end up|start (?:with|from) the){HABIT}\b(?! to be)"
    ),
    rf"\b(?:we|i|our team) (?:do not|don'?t) (?:{HABIT})\b",
    rf"\b(?:we|i) (?:{HABIT}) .{{1,80}}(?:, not |, never | instead of | rather than |, no )",
    (
        rf"\b(?:we|i) {HABIT} .{{1,80}} (?:here|around here|in (?:this|"
        r"our) (?:\w+ )?(?:repo|project|codebase|team|company))$"
    ),
    (
        rf"^{FILL}(?:in|on|for|across) (?:this|our) (?:\w+ )?(?:repo|project|codebase|"
        rf"team|company),? (?:we|i|all|every|use|{NOUN})\b"
    ),
    # a convention with should
    (
        rf"^{FILL}(?:all |any |every |our |your |each |(?:the )(?=commit|pr\b|pull|branch|"
        r"readme|docs|title|subject))?(?:(?!the\b|when\b|"
        rf"if\b)\w+ ){{0,2}}{NOUN}(?: (?!that\b)\w+){{0,3}} (?:should(?:n't)?|"
        r"must(?:n't)?|need to|needs to|have to|has to|"
        r"shall|ought to|are to|is to|go(?:es)? (?:in|under|into|next)|belongs?|stays?|"
        r"may not|can't|cannot|aren't allowed|are not allowed)"
        r" ?(?!pass\b|work\b|be (?:fixed|done|ready|fine|ok|green|enough|there|good|"
        r"working|passing|possible)\b|now|have|already|return|still|fail)\w*"
    ),
    # marker of duration, then an imperative or a wish
    (
        r"\b(?:from now on|from here on(?: out)?|going forward|moving forward|henceforth|"
        r"in (?:the )?future|in future|for future reference|next time)\b"
        r"(?!,? (?:release|version|sprint|work|feature|we(?:'ll| will| might| may| could)|"
        r"i(?:'ll| will| might| may)|(?:it|they|there|this|that|the|these|those|an?|he|she|"
        r"my|i)\b(?! .{0,60}\b(?:should|must|want|need|prefer)\b)|is|are|will|"
        r"would)\b).{0,4}\w"
    ),
    (
        rf"(?:^|[,:] ?){FILL}(?:whenever|every ?time|each time|any ?time) (?!you(?:'re|"
        r" are) (?:ready|done|free|finished)|you (?:can|have (?:time|a minute)|like|want|"
        r"get))(?:you|we|i|a|an|the|there|something|"
        rf"someone)\b[^,]{{2,80}}(?:, (?:please )?(?!(?:i|it|the|this|that|these|they|he|"
        r"she|we get|there|my|an?|some|all|nothing|everything|what|why|how)\b)\w+|"
        r" (?:please )?(?:bump|update|run|add|use|check|make sure|format|regenerate|"
        r"ask)\b)"
    ),
    (
        rf"{LEAD}(?!(?:it|the|this|there|i) ){HABIT}\b.{{1,80}} (?:whenever|every ?time|"
        r"each time|any ?time) (?:you|we|i)\b"
    ),
    (
        rf"(?:^|[,:] ?){FILL}(?:when|if) (?:you(?:'re| are)? (?!done|finished|ready|"
        r"through|can|want|could|have time|like|get|need|see|think|look|"
        r"run into|know|start|have|find|agree|prefer|change your|must be|wish|on it)|"
        r"\w+ing )(?![^,]{0,60}\bthe \w+,)[^,]{2,60}, (?:please )?(?:always |never )?"
        rf"(?:do not|don't|{HABIT}|also|make|update|mention|explain|tell|ask|check|show|"
        r"leave|skip|say|state|link|quote|give|be|give)\b"
    ),
    (
        rf"{LEAD}(?:run|ask|check|update|format|lint|test|confirm|tell|build|make|do|"
        rf"write|add|show|pull|rebase|verify|wait for|get) .{{1,60}} (?:before|after) "
        r"(?:(?:every|each|any) \w+|committing|pushing|merging|deploying|releasing|opening|"
        r"installing|changing|editing|deleting|"
        r"(?:you|i|we) (?:commit|push|merge|deploy|release|open|install|change|edit|delete|"
        r"touch|add|remove|run|make|start))"
    ),
    (
        rf"(?:^|[,:] ?){FILL}(?:before|after) (?:(?:every|each|any) \w+|committing|"
        r"pushing|merging|deploying|releasing|opening|installing|editing|deleting|"
        r"(?:you|we) (?:commit|push|merge|deploy|release|open|install|change|edit|delete|"
        r"touch|add|remove))\b[^,]{0,60}, (?:please )?\w+"
    ),
    (
        rf"{LEAD}(?:ask|check with|consult|tell|warn) me (?:first )?(?:before|whenever|"
        r"every|prior|(?:if|when) (?:you(?:'re| are) (?:not sure|unsure|in doubt|"
        r"about to)|in doubt|unsure))\b"
    ),
    # a choice between two
    rf"{LEAD}{PICK} .{{1,80}}(?: instead of | rather than |, not |, never | not | over |, no )\S",
    rf"{LEAD}{CHOOSE} (?!it\b|them\b|me\b|him\b).{{1,60}} instead$",
    (
        r"\bi(?:'d| would)? (?:much |really |generally |strongly |always )?(?:prefer|"
        r"favou?r)\b(?! to (?:see|wait|stop|leave|finish|do it))"
    ),
    r"\bi(?:'d| would) (?:much )?rather (?:you|have|we|see|use|not|keep)\b",
    (
        r"\b(?:my|our|the|your) (?:\w+ )?(?:convention|rule|policy|standard|preference|"
        r"guideline|house style|code style|style|custom|practice) "
        r"(?:here |for \w+(?: \w+)? )?(?:is|are|says|requires)\b(?! (?:set|in|at|not|"
        r"defined|configured|stored|missing|broken|wrong))"
    ),
    (
        rf"^{FILL}(?:[\w.+-]+(?: \w+)?,? (?:not|over)|prefer) (?!yet|sure|only|now|needed|"
        r"working|found|that|bad|too|really|just|the|a |an |so|much|there|in|on|done|"
        r"ready|true|\w+ed\b)[\w.+-]+(?: \w+)?(?: please)?$"
    ),
    (
        rf"\b(?:we|you|{NOUN}) (?:should|must|needs? to) (?:be|use|go|live|return|start|"
        rf"end|have|read|say|look) .{{1,60}}(?:, not | instead of | rather than )"
    ),
    (
        r"\b(?:i|we) (?:want|like|need|expect|meant|said|asked for) .{1,60}(?:, not |"
        r" instead of | rather than | better than | over )"
    ),
    r"\bi like .{1,60} (?:better|more)(?: than\b.{1,40})?$",
    rf"\binstead of .{{1,60}}?,? (?:please |you should |you can |just |always |we )?{CHOOSE}\b",
    (
        r"^(?:by default|in general|as a (?:general )?rule|generally|usually|normally|"
        rf"in principle|as a habit)[, ]+(?:please )?{HABIT}\b"
    ),
    (
        rf"^(?:{FILL})?for (?:all |any |every |new |our )?(?:\w+ )?{NOUN},? (?:please |"
        rf"always |we )?{CHOOSE}\b"
    ),
    (
        rf"\b(?:our|all|your) (?:\w+ ){{0,2}}{NOUN} (?:is|are|should be|go|goes|live|"
        r"lives|come|start|end|use) (?:always |never |only )?"
    ),
    rf"\b{NOUN} (?:is|are|go|live|start|end) (?:always|never|only)\b",
    (
        rf"\b{NOUN} .{{0,40}}\b(?:in|for|across) (?:this|our) (?:\w+ )?(?:repo|project|"
        r"codebase|team|company) (?:go|goes|is|are|use|live|run|must|should|need|have|"
        r"start|get)\b"
    ),
    r"\bit(?:'s| is) (?:always )?q+,? (?:not|never) q+",
    (
        r"\b(?:it(?:'s| is)|that(?:'s| is)) (?:always )?.{1,40}, (?:not|"
        r"never) .{1,60}\b(?:in (?:all|our|every)|everywhere|here|for (?:all|every)|"
        r"in this (?:repo|project|codebase))"
    ),
    (
        rf"^{FILL}{NOUN} (?:only )?in (?:{LANGUAGE}|(?:the )?(?:imperative|"
        r"present tense|past tense|lower ?case|upper ?case|snake|camel|kebab|title case|"
        r"sentence case|utc|iso|markdown|british|american))"
    ),
    (
        rf"^{FILL}{LANGUAGE} only\b|^{FILL}(?:everything|all of it|all) in {LANGUAGE}|"
        rf"^{FILL}in {LANGUAGE},? please$"
    ),
    (
        r"\bi(?:'d| would)? (?:want|like|expect|need) (?:all |every |each |my |your |"
        rf"our )(?:\w+ ){{0,2}}{NOUN} (?:to |in |as |with )"
    ),
    (
        r"\b(?:keep|bear) (?:that|this|it) in mind$|\b(?:that|this)(?:'s| is) (?:the|a|"
        r"our) (?:house |team )?(?:rule|convention|policy)\b|^(?:house |"
        r"team )?rule(?: (?:number )?\w+)?:"
    ),
    r"\b(?:make it a habit|get (?:in|into) the habit|be in the habit)\b",
    (
        r"\b(?:hands off|off limits|off-limits|is (?:forbidden|banned|not allowed|"
        r"prohibited)|are (?:forbidden|banned|not allowed|prohibited))\b"
    ),
    (
        r"\byou(?:'re| are) not (?:allowed|supposed) to \w+|\byou (?:must not|mustn't|"
        r"may not|shouldn't(?: ever)?|should not) \w+"
    ),
    (
        rf"{LEAD}(?:let's not|not) (?:{HABIT})\b.{{1,80}}\b(?:anymore|any more|"
        r"any longer|again|anywhere|here|at all)\b"
    ),
    (
        rf"^{FILL}(?:every|each|all|any|new) (?:\w+ )?{NOUN} (?:needs?|gets?|requires?|"
        r"starts?|ends?|uses?|goes|go|comes?|has|have|lives?|follows?) (?!been|failed|"
        r"passed|fixed)\w+"
    ),
    (
        rf"^{FILL}(?:every|each) (?:pr|mr|commit|branch|function|file|class|test|module|"
        r"migration|endpoint|release|change|component|ticket|query) (?:needs|gets|"
        r"requires|must|should|has to|starts|ends|comes with) \w+"
    ),
    rf"^{FILL}{NOUN} (?:first|last),? (?:then|before|and then)\b",
    rf"{LEAD}only {HABIT} (?:what|those|things|files|code)\b",
    rf"{LEAD}use .{{1,60}} only (?:in|for|when|with)\b",
    (
        rf"{LEAD}(?:{HABIT}|refer|say|mark|treat|quote|escape|state|mention|give|leave|"
        rf"set|turn|enable|disable) .{{1,80}} (?:in (?:all|every|any) (?:of )?(?:our|the|"
        r"your)? ?|everywhere|across the (?:board|codebase)|for (?:all|every) (?:our |"
        rf"new )?){NOUN}?"
    ),
    rf"^{FILL}(?:whatever you do|under no circumstances),? ",
    (
        rf"{LEAD}(?!i\b|it\b|this\b|that\b|they\b|the\b|"
        rf"there\b)\w+ .{{1,80}} (?:from now on|going forward|moving forward|"
        r"in (?:the )?future|from here on(?: out)?)$"
    ),
    r"^[\w-]+(?: [\w-]+)?,? (?:not|never) [\w-]+(?: [\w-]+)?,? (?:for|in|when|everywhere)\b",
    # prohibition
    (
        rf"{LEAD}(?:do not|don'?t ever|don'?t|avoid|refrain from|"
        r"no more(?! \w+ (?:fail\w*|errors?|left|found|work\w*))|(?:quit|"
        r"stop)(?= (?:\w+ly )?\w+ing\b)) "
        rf"(?!{NOT_TO}\b)(?!you\b)(?!the (?:server|build|process|job|watcher|container|"
        r"service|"
        r"loop|app|daemon|timer)\b)\w+"
    ),
    (
        r"\bi (?:do not|don'?t|never) (?:want|like|need|accept|approve of) (?!to\b|how\b|"
        r"the way\b|it\b|them\b|any of)\w+"
    ),
    r"\bi (?:hate|dislike|can't stand) (?!it|when it|this|that|how)\w+",
    (
        rf"^{FILL}(?:please,? )?no (?!worries|problem|idea|thanks|need to (?:worry|wait|"
        r"hurry)|errors?|luck|longer|one|tests? (?:ran|failed|found)|changes?|results?|"
        r"way|matter|doubt|i |it |we |you |the |that|this|not)(?!.*\b(?:were|was|are|is|"
        r"found|failing|failed|left|ran|have|has|had|yet|match\w*|show\w*|appear\w*|work\w*|"
        r"here)\b)"
        r"[\w-]+(?: [\w-]+){0,3}(?: (?:in|for|at|when|unless|without|inside|please|anymore|"
        r"at all|ever)\b|, (?:please|keep|just|ever)|$)"
    ),
    r"^(?:please )?no need to \w+ (?:every|each|all|your|the \w+s|me\b)",
    # form of answers
    (
        rf"{LEAD}(?:answer|reply|respond|write|speak|talk|explain(?: \w+)?|communicate|"
        r"comment|document|summari[sz]e|report)(?: (?:to )?me| back| everything|"
        rf" (?:\w+ )?{NOUN})? (?:only )?in {LANGUAGE}"
    ),
    (
        rf"{LEAD}(?:keep|make|write|name|put|format|prefix|phrase|sign|start|end|begin|"
        r"structure) (?:all |your |our |the |any |"
        rf"every )?(?:\w+ ){{0,2}}{NOUN} (?!for the|of the)"
        r"(?:\w+ )?(?:short|brief|small|concise|terse|simple|focused|minimal|to \w+|under|"
        r"below|at|in|with|after|like|as|lower-?case|upper-?case|"
        r"sorted|alphabetical\w*|separate|together|consistent|up to date|atomic|pure|plain|"
        r"formal|informal|polite|singular|plural|short\w*)\b"
    ),
    (
        r"\b(?:be|keep it|keep things) (?:more |less )?(?:concise|brief|terse|short|"
        r"verbose|formal|polite|simple|direct)\b"
    ),
    (
        rf"{LEAD}(?:put|write|name|use|format|indent) .{{1,80}} (?:for|in|on) (?:all|"
        r"every|each|any|everything|commit messages|commits|prs|tests|comments|docs|names|"
        r"code|sql|"
        r"branch names|variable names|all new|new) ?"
    ),
    (
        rf"^{FILL}use (?!it|them|the|my|a |an |"
        rf"an? new)[\w.+-]+(?: [\w.+-]+)? (?:everywhere|for (?:everything|{NOUN})|"
        r"by default|throughout|across the|consistently)"
    ),
    (
        rf"{LEAD}only (?:{HABIT}|change|delete|remove|create|modify|open|start|answer|"
        rf"explain)\b.{{0,60}}\b(?:when|if|after|once|unless) (?:i|we|you|told|asked|"
        r"explicitly)\b"
    ),
    rf"{LEAD}only (?:use|deploy|log|import|write)\b.{{1,60}}\b(?:in|from|for|on|to)\b",
    (
        rf"{LEAD}(?:{HABIT}|change|delete|remove|create|modify|run|push|open|"
        rf"start)\b.{{0,60}} only (?:when|if|after|once) (?:i|we|you'?re (?:asked|told)|"
        r"asked|told|explicitly)\b"
    ),
    rf"\b{HABIT}\b.{{1,80}}\bunless (?:i|we|you(?:'re| are)|explicitly|asked|told|otherwise)\b",
    # repetition
    (
        r"\b(?:i|we)(?:'ve| have)? (?:already |just )?(?:told|asked|"
        r"reminded) you (?:\w+ )?(?:not to|to|about|that we|we|never|always|no|before)\b"
    ),
    rf"\b(?:i|we) (?:already |just )?said (?:no|not|to|use|never|always|only|we|in {LANGUAGE})\b",
    (
        r"\byou keep (?:on )?(?!going|getting|seeing|saying|asking|telling|hitting|failing|"
        r"running into|timing|crashing|losing|being|having|looking|trying)\w+ing\b"
    ),
    (
        r"\byou (?:keep|always|constantly) (?:on )?(?:adding|using|writing|forgetting|"
        r"putting|deleting|removing|committing|pushing|changing|ignoring|inserting|"
        r"creating|mixing|importing|"
        r"forget|add|use|write|put|skip|ignore)\b"
    ),
    r"\bthat'?s not how we\b",
)
NO = (
    r"(?:no|nope|nah|wrong(?: \w+){0,3}|incorrect|not (?:like )?that|that'?s (?:wrong|"
    r"not right|not it|incorrect|not what i (?:asked|meant|wanted)(?: for)?)|"
    r"not what i (?:asked|meant|wanted)(?: for)?|not quite|i (?:already )?(?:told|"
    r"said to|reminded|asked) you(?: already| before| (?:twice|once))?)"
)
CORRECTED: tuple[str, ...] = (
    (
        rf"^{NO}[,.:! -]+{FILL}(?:(?:we|i|it(?:'s| is)?|that(?:'s| is)?|in this (?:repo|"
        rf"project|codebase),?|here,?) )?.{{0,60}}(?:,? not | instead of | rather than |"
        r" over )(?!yet|sure|now)\S"
    ),
    (
        r"^(?:no|nope|nah|wrong|incorrect|not (?:like )?that|that'?s (?:wrong|not right|"
        r"not it|incorrect)|not quite|actually|hold on|sorry|i (?:meant|said))\b"
        rf"[,.:! -]+{FILL}(?:we |you should |it should |please |let's )?{CHOOSE} (?!it\b|"
        r"them\b|me\b|the (?!same|standard|new|existing)|him\b|a (?!single)|going|that|"
        r"another|as is|in mind)\S+"
    ),
    (
        r"^(?:no|nope|nah|wrong)\b[,.:! -]+(?!wait|stop|go\b|keep|undo|revert|the\b|that|"
        r"this|do\b|try|it\b|thanks|not\b|one\b|just)[\w-]+ [\w -]{1,40}(?: only| please|"
        r",? please)$"
    ),
    (
        rf"^(?:no|nope|wrong)\b[,.:! -]+{FILL}(?:in {LANGUAGE}|with \w+|"
        rf"{NOUN}(?: \w+)? (?:go|belong|live|are|should)|[\w.+-]+, not |we \w+|i (?:want|"
        r"need|asked for))"
    ),
)
AFTER_NO = re.compile(
    rf"^{FILL}(?:we |it should |let's )?{CHOOSE} (?!it\b|them\b|me\b|the |a |him\b|"
    r"going|that|another)\S+"
    rf"|^{FILL}(?:i (?:want|asked for|meant)|in {LANGUAGE})|^.{{0,80}}(?:,? not |"
    r" instead of | rather than )(?!yet|sure|now)\S"
)
CORRECTION = re.compile(rf"^{NO}(?:,? (?:sorry|again|please))?$")
UNSURE = re.compile(
    rf"^{FILL}use (?:[\w.+/-]+)(?: [\w.+/-]+)?(?: (?:for (?:this|the) \w+|please))?$"
)
EXPLICIT = re.compile(
    r"(?:^|[,.:] )(?:please |pls |also |btw,? |and |just |but |note,? |ok,? |hey,? |"
    rf"(?:{NAMES}),? ){{0,3}}"
    r"(?:remember(?! (?:when|how|what|why|if|where|who|to (?:run|fix|add|update|push|"
    r"commit|check|do) (?:it|that|this|the)))"
    r"(?:(?: (?:this|the following))?(?: (?:for (?:later|next time|the future)|"
    r"from now on))? ?[:：—-]| that\b(?=\s+\w+ \w+)|,? (?=(?:we|i|our|my|always|"
    r"never) )|"
    r" (?=to (?:always|never)\b))|"
    r"memori[sz]e(?: (?:this|that|the following))? ?[:：]?|(?:keep in mind|"
    r"bear in mind)(?: that\b|[:,：])|"
    r"(?:make|take) (?:a )?note(?: of this)?(?: ?[:：]| that\b)|(?:quick |small |"
    r"one )?(?:note|reminder) (?:for (?:the future|later|next time)|"
    r"to self(?: and (?:to )?you)?|to you) ?[:：]|"
    r"for future reference ?[,:：]|add (?:this )?to (?:your |the )?memory ?[:：]|"
    r"(?:save|store|put|keep|write|note|record|jot|log|file|add|commit|"
    r"remember)(?: (?:this|that|it|the following|"
    r"down|one|something))?(?: down)? (?:to|in|into|as|for|under) (?:your |the |my |"
    r"a )?(?:long[- ]term |user |"
    r"permanent |standing )?(?:memory|memories|notes?|preferences?|rules?|later|next time|"
    r"the future|future "
    r"(?:sessions?|reference)|good)(?: (?:too|please|as well))? ?(?:[:：—,-]|that\b)|"
    r"(?:store|record|save|jot down|memori[sz]e)(?: the fact)? that\b)"
)
CONSTRAINT = re.compile(
    r"\b(?:never|don'?t|do not|must not|mustn't|stop|avoid|without (?:asking|my|"
    r"permission)|no more|refrain|quit|may not|not allowed|only (?:when|if))\b|"
    r"^(?:please )?no "
)
WORKFLOW = re.compile(
    r"\b(?:before|after|whenever|every ?time|each time|when you|if you|first|ask me|"
    r"check with me|run )\b"
)
POSITIVES = tuple(re.compile(wording) for wording in POSITIVE)
"""The phrases compiled one by one: one pattern for all would keep 5 MB in the resident."""
CORRECTIONS = re.compile("|".join(f"(?:{wording})" for wording in CORRECTED))
