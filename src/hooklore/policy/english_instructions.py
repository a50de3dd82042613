"""Wordings of corrections and standing instructions in English.

Each rule asks for the form of an instruction (an imperative at the begin of a clause, `we` with a habit,
a convention with `should`), and for a sign that it is to hold longer than this one task.
"""

import re

from hooklore.policy.instruction_rules import Kind, Rules, Verdict

_MAY = re.compile(
    r"\b(?:no|nope|wrong|always|never|don'?t|don’t|do not|stop|avoid|from now|from here on|going forward|future|"
    r"instead|rather|prefer|use|only|every|each|when(?:ever)?|if|before|after|without|unless|should|must|"
    r"remember|memori[sz]e|keep|answer|reply|respond|write|speak|told|said|meant|convention|rule|policy|ask|"
    r"default|habit|all|any|want|like|hate|dislike|not|over|better|we|let'?s|please|make sure|henceforth|"
    r"dont|it'?s|in|off|leave|rules?|a\w{1,2}[wy]\w{0,2}s)\b",
    re.IGNORECASE,
)

_FILL = (
    r"(?:(?:please|pls|plz|and|also|but|so|then|just|ok|okay|btw|by the way|oh|one (?:more |last )?thing|another thing|note|"
    r"hey|well|actually|for the record|as (?:i|we) said(?: before)?|again|claude|thanks|thank you|great|good|"
    r"nice|looks good|lgtm|yes|yeah|fine|perfect|hmm+|wait|sorry|no|nope|wrong|important|reminder|rule|fyi|"
    r"in general|generally|as a rule(?: of thumb)?|by default|in (?:the )?future|from now on|from here on(?: out)?|going "
    r"forward|for future reference|henceforth|for next time|next time|at least|preferably|ideally|"
    r"not like that|not that|not quite|incorrect|i (?:said|meant)|you should|you must|you need to|you have to|"
    r"make sure (?:you |to |that you )?|be sure to|try to|let's|let us|i want you to|i'd like you to|i need you to|"
    r"(?:in|for|on|with|inside|across) (?:this|our|my|the|all|any|every) (?:\w+ ){0,2}?(?:repo|repository|project|codebase|"
    r"code base|team|company|monorepo|package|code|tests?|files?|modules?|services?|prs?|commits?))"
    r"[,:;! -]+){0,5}"
)
_LEAD = rf"(?:^|[,:)(]\s*|\b(?:but|also|so)\s+){_FILL}"

_STANDING = (
    r"(?:from now on|from here on(?: out)?|going forward|moving forward|in (?:the )?future\b|for future|"
    r"henceforth|at all times|as a rule|by default|in general|for next time|next time|"
    r"(?:in|across|for|throughout) (?:this|our|my|the (?:whole|entire)) (?:\w+ )?(?:repo|repository|project|codebase|code ?base|"
    r"team|company|monorepo)|around here|for all (?:of )?(?:our|my|the|new|future|your)?|for every|for each|"
    r"every ?time|each time|any ?time|whenever|every single time|"
    r"(?:after|before|on|with|for|in) (?:every|each|any) |unless (?:i|we|explicitly|asked|told|absolutely|otherwise|"
    r"you(?:'re| are))|without (?:asking|my |checking with|permission|approval|telling|confirm|being asked|a (?:test|"
    r"review|reason|ticket))|\balways\b|\bnever\b)"
)

_HABIT = (
    r"(?:use|write|put|name|keep|prefer|run|format|indent|commit|squash|rebase|merge|go with|stick (?:to|with)|call|follow|"
    r"test|deploy|pin|install|import|return|store|log|document|lint|target|sort|group|order|place|prefix|do|push|mock|"
    r"allow|want|ship|add|nest|catch|throw|inline|abbreviate|include|wrap|build|generate|edit|touch|version|tag|"
    r"capitali[sz]e|start|end|review|require|ask|support|release|publish|spell|avoid|hardcode|hard-code|bump)"
)
_CHOOSE = (
    r"(?:use|go with|stick (?:to|with)|switch to|prefer|write|put|name|call|import|format|indent|follow|pick|choose|"
    r"make it|keep|run|return|store|target|import|raise|throw|place|pin|install|log|type|spell|do)"
)
_NOUN = (
    r"(?:commit(?: message)?s?|messages?|comments?|docstrings?|docs?|documentation|prs?|pull requests?|merge requests?|branch(?:es)?|"
    r"(?:branch|variable|function|file|class|method|test|column|table|module|type|field|key|event|job|env(?:ironment)? variable) "
    r"names?|names|naming|tests?|test (?:files|cases|names)|(?:log|error|exception) messages?|logs|errors|exceptions|answers?|repl(?:y|ies)|responses?|"
    r"explanations?|summar(?:y|ies)|reports?|functions?|methods?|classes|files|modules|imports?|types|type hints|annotations|"
    r"indentation|code|style|changelogs?|changelog entries|releases?|versions?|migrations?|queries|sql|endpoints?|routes|apis?|dates|"
    r"timestamps|times|numbers|config(?:uration)?|settings|constants|enums|dependencies|packages|titles|descriptions|"
    r"(?:pr|mr|commit|pull request|issue|ticket) (?:titles?|descriptions?|bodies|messages?|subjects?)|subject lines?|lines|diffs|scripts?|fixtures|mocks|"
    r"snapshots|secrets|credentials|reviews|todos|strings|ids|urls|paths|everything|nothing|each \w+|every \w+|all \w+|any \w+|new \w+|output|prose|"
    r"text|translations|headings|lists|tables|columns|variables|components|handlers|hooks|plans|steps|questions)"
)
_LANGUAGE = (
    r"(?:english|japanese|german|french|spanish|italian|portuguese|chinese|korean|dutch|russian|polish|british english|"
    r"american english|plain english|us english|uk english)"
)
_PAST = (
    r"(?:mind|got|worked|happened|found|seen|had|did|was|were|again|heard|knew|ran|came|went|saw|thought|been|told|"
    r"made|wrote|took|gave|left|kept|said|gets|really|even|actually|quite|once|fully|\w+ed(?<!need)(?<!feed)(?<!embed))\b"
)
_NOT_TO = (
    r"(?:worry|bother|know|mind|forget|think|see|understand|get|care|have|need|remember|believe|recall|feel|find|panic|"
    r"hesitate|give up|sweat|be|let|wait|tell|show|hate|love|agree|quite|seem)"
)

_ONE_OFF = re.compile(
    r"\b(?:yet|for now|right now|just now|this time|just this|today|tonight|tomorrow|this (?:morning|week|afternoon|evening|sprint|"
    r"once)|for the moment|at the moment|temporarily|until|till|once(?! a\b)|meanwhile|while i|again and|first and then|currently|now$)\b"
    r"|\b(?:this|that|these|those)\b(?! (?:repo|repository|project|codebase|code base|team|company|monorepo|workspace|"
    r"organi[sz]ation|house)\b)(?<!not that)(?<!not like that)(?<!like this)(?<!like that)(?<!do this)(?<!do that)"
    r"(?<!s that)(?<!note that)(?<!sure that)(?<!so that)(?<!mind that)(?<!remember that)(?<!that that)(?! you|'s|is | is | in mind)"
    r"|\b(?:the|my) (?:first|second|third|last|other|current|previous|next|old|above|latter|former) (?:one|two|option|approach|"
    r"file|branch|version|draft|idea|solution|variant|commit)\b"
    r"|\b(?:it|them) (?:instead|rather)|\binstead of it\b|\b(?:option|approach|variant|plan|version|step|case) [a-d1-9]\b"
    r"|\b(?:lines?|page|port|row|step|item|issue|ticket|pr|commit|#) ?#?\d+"
)
_KEEPS = re.compile(
    r"\b(?:from now on|from here on|going forward|moving forward|in (?:the )?future|henceforth|every ?time|whenever|each time|"
    r"next time)\b|^(?:\W*please )?(?:always|never)\b"
)
_THAT_CLAUSE = re.compile(r"\b(?:that|this|it)\b")

_QUESTION = re.compile(
    r"^(?:(?:and|but|so|ok|okay|well|hey|hm+|also|wait|btw|by the way|actually|no|yes|quick question|question|just curious|i wonder)[,: ]+){0,3}"
    r"(?:what|why|how|where|which|who|whose|do(?!n't| not)|does|did|is|are|was|were|will|have(?! your| the)|has|had|should (?:we|i|it|this|the|they|that)|"
    r"shall|am i|isn'?t|aren'?t|doesn'?t|didn'?t|can (?:we|i|it|this|the)|may i|might|could (?:we|i|it|this)|would (?:it|we|this|that|they)|"
    r"(?:can|could|would|will|won't|can't) you|wonder\w*|any (?:idea|reason)|when (?:do|does|did|will|is|are|should|was)|"
    r"tell me|explain (?:why|how|what|when|to me)|i wonder|curious)\b"
)
_POLITE = re.compile(
    rf"^{_FILL}(?:can|could|would|will) you (?:please )?.{{0,200}}\b(?:from now on|going forward|in (?:the )?future|every time|"
    r"whenever)\b|^(?:from now on|going forward|in (?:the )?future),? (?:can|could|would) you\b"
    r"|^(?:can|could|would|will) you please (?:always|never|stop|not)\b"
)
_REPORT = re.compile(
    # somebody else says or wants it
    r"\b(?!(?:i|we|you)\b)\w+(?:'s)? (?:said|says|told|tells|wants?|wanted|asked|asks|suggest(?:s|ed)|recommend(?:s|ed|ing)?|wrote|writes|thinks?|"
    r"thought|claim(?:s|ed)|insist(?:s|ed)|argues?|argued|believes?|mentioned|states?|stated|advises?|prefers|preferred|likes|hates|complains?|complained|"
    r"keeps saying|used to)\b(?<!as i said)"
    r"|\baccording to\b|\b(?:i|we) (?:read|heard|saw|learned|noticed|found|wonder|thought|was told|were told|used to|think (?:we|i|they|the|it)|guess)\b"
    r"|\b(?:he|she|they) (?:always|never|don't|do not|use|used|prefer|should)\b"
    r"|\b(?:imagine|suppose|assume|what if|e\.g|for example|for instance|hypothetically|let's say)\b"
    # a thing does something
    r"|\bi (?:always|never|don't|usually) (?:forget|get|see|know|remember|understand|have|had|found|find|struggle|wonder|end up|"
    r"thought|knew|liked|heard|saw|got|lose|mix|confuse|think|expect)\b"
    r"|\b(?:not|\w+n't) (?:saying|suggesting|asking|implying|have to|need to|necessarily|mean|meant|sure|think|believe|want to say|that (?:we|you|i))\b"
    r"|\bnext time (?:i|it|we)\b(?! want| need)|\bi(?:'ll| will| would|'d) (?:always|never|just)\b|\bi've (?:always|never)\b|\b(?:always|never) (?:been|was|were|had)\b"
    r"|\b(?:good|nice|glad|great|happy|funny|weird|strange|interesting) (?:that|to (?:see|know|hear))\b|\bsame as always\b|\bas (?:always|usual)\b"
    r"|^(?:never ?mind|no (?:worries|problem|idea|thanks|thank|rush|hurry|clue|luck|change|changes|errors?|difference|need to worry|"
    r"doubt|wonder|way|one|biggie|issues?|update|updates)\b)"
)
_TASK = re.compile(
    rf"^{_FILL}(?:add|create|implement|fix|build|generate|refactor|rename|update|change|remove|delete|move|extract|replace|convert|"
    r"translate|summari[sz]e|draft|design|investigate|look|find|search|debug|explain|check|set up|make (?:the|a|it|this|an)|"
    r"write (?:a|an|the|me|some|tests? for|unit tests? for)|let me|show|give|open|read|go|try|continue|apply|revert|undo|help|compare|review|print|"
    r"list|render|sort the|parse|port|migrate|wire|hook|expose|bring|copy|paste|insert|append|i (?:want|need|would like|'d like) to|"
    r"we (?:want|need|have) to)\b"
)

_POSITIVE: tuple[str, ...] = (
    # always / never + imperative, or after you / we / I with a habit
    rf"{_LEAD}(?:always|never(?! {_PAST})|only ever) (?!\w*(?:[^s]s|ed|ing)\b(?<!process)(?<!embed)(?<!feed)(?<!seed)"
    r"(?<!speed)(?<!proceed)(?<!need)(?<!alias)(?<!canvas))\w+",
    r"\b(?:you|we|claude|agents?) (?:should|must|need to|have to|are to|may) (?:always|never|only ever) \w+",
    rf"\b(?:you|we) (?:never|always) (?!{_PAST}){_HABIT}\b",
    r"\b(?:you|we) (?:always|never) (?:need|have) to \w+",
    rf"\b(?:we|i) (?:always|never|only|strictly|exclusively) (?!run (?:out|into)|end up|start (?:with|from) the){_HABIT}\b(?! to be)",
    rf"\b(?:we|i|our team) (?:do not|don'?t) (?:{_HABIT})\b",
    rf"\b(?:we|i) (?:{_HABIT}) .{{1,80}}(?:, not |, never | instead of | rather than |, no )",
    rf"\b(?:we|i) {_HABIT} .{{1,80}} (?:here|around here|in (?:this|our) (?:\w+ )?(?:repo|project|codebase|team|company))$",
    rf"^{_FILL}(?:in|on|for|across) (?:this|our) (?:\w+ )?(?:repo|project|codebase|team|company),? (?:we|i|all|every|use|{_NOUN})\b",
    rf"\b(?:should|must|shall|may|has to|have to|needs to|need to|is to|are to|ought to|can) (?:always|never|only ever) \w+",
    # a convention with should
    rf"^{_FILL}(?:all |any |every |our |your |each |(?:the )(?=commit|pr\b|pull|branch|readme|docs|title|subject))?(?:(?!the\b|when\b|if\b)\w+ ){{0,2}}{_NOUN}(?: (?!that\b)\w+){{0,3}} (?:should(?:n't)?|must(?:n't)?|need to|needs to|have to|has to|"
    r"shall|ought to|are to|is to|go(?:es)? (?:in|under|into|next)|belongs?|stays?|may not|can't|cannot|aren't allowed|are not allowed)"
    r" ?(?!pass\b|work\b|be (?:fixed|done|ready|fine|ok|green|enough|there|good|working|passing|possible)\b|now|have|already|return|still|fail)\w*",
    # marker of what holds, then an imperative or a wish
    rf"\b(?:from now on|from here on(?: out)?|going forward|moving forward|henceforth|in (?:the )?future|in future|for future reference|next time)\b"
    r"(?!,? (?:release|version|sprint|work|feature|we(?:'ll| will| might| may| could)|i(?:'ll| will| might| may)|it|they|there|the \w+ (?:is|will|returns|has|was)|is|are)\b).{0,4}\w",
    rf"(?:^|[,:] ?){_FILL}(?:whenever|every ?time|each time|any ?time) (?!you(?:'re| are) (?:ready|done|free|finished)|you (?:can|have (?:time|a minute)|like|want|get))(?:you|we|i|a|an|the|there|something|someone)\b[^,]{{2,80}},? (?!i\b|it\b|the\b|we get|there)\w+",
    rf"{_LEAD}(?!(?:it|the|this|there|i) ){_HABIT}\b.{{1,80}} (?:whenever|every ?time|each time|any ?time) (?:you|we|i)\b",
    rf"(?:^|[,:] ?){_FILL}(?:when|if) (?:you(?:'re| are)? (?!done|finished|ready|through|can|want|could|have time|like|get|need|see|think|look|"
    r"run into|know|start|have|find|agree|prefer|change your|must be|wish|on it)|\w+ing )(?![^,]{0,60}\bthe \w+,)[^,]{2,60}, (?:please )?(?:always |never )?"
    rf"(?:do not|don't|{_HABIT}|also|make|update|mention|explain|tell|ask|check|show|leave|skip|say|state|link|quote|give|be|give)\b",
    rf"{_LEAD}(?:run|ask|check|update|format|lint|test|confirm|tell|build|make|do|write|add|show|pull|rebase|verify|wait for|get) .{{1,60}} (?:before|after) "
    r"(?:(?:every|each|any) \w+|committing|pushing|merging|deploying|releasing|opening|installing|changing|editing|deleting|"
    r"(?:you|i|we) (?:commit|push|merge|deploy|release|open|install|change|edit|delete|touch|add|remove|run|make|start))",
    rf"(?:^|[,:] ?){_FILL}(?:before|after) (?:(?:every|each|any) \w+|committing|pushing|merging|deploying|releasing|opening|installing|editing|deleting|"
    r"(?:you|we) (?:commit|push|merge|deploy|release|open|install|change|edit|delete|touch|add|remove))\b[^,]{0,60}, (?:please )?\w+",
    rf"{_LEAD}(?:ask|check with|consult|tell|warn) me (?:first )?(?:before|whenever|if|when|every|prior)\b",
    # a choice between two
    rf"{_LEAD}{_CHOOSE} .{{1,80}}(?: instead of | rather than |, not |, never | not | over |, no )\S",
    rf"{_LEAD}{_CHOOSE} (?!it\b|them\b|me\b|him\b).{{1,60}} instead$",
    r"\bi(?:'d| would)? (?:much |really |generally |strongly |always )?(?:prefer|favou?r)\b(?! to (?:see|wait|stop|leave|finish|do it))",
    r"\bi(?:'d| would) (?:much )?rather (?:you|have|we|see|use|not|keep)\b",
    r"\b(?:my|our|the|your) (?:\w+ )?(?:convention|rule|policy|standard|preference|guideline|house style|code style|style|custom|practice) "
    r"(?:here |for \w+(?: \w+)? )?(?:is|are|says|requires)\b",
    rf"^{_FILL}(?:[\w.+-]+(?: \w+)?,? (?:not|over)|prefer) (?!yet|sure|only|now|needed|working|found|that|bad|too|really|just|the|a |an |so|much|there|in|on|done|ready|true|\w+ed\b)[\w.+-]+(?: \w+)?(?: please)?$",
    rf"\b(?:should|must|needs to) (?:be|use|go|live|return|start|end|have|read|say|look) .{{1,60}}(?:, not | instead of | rather than )",
    rf"\b(?:i|we) (?:want|like|need|expect|meant|said|asked for) .{{1,60}}(?:, not | instead of | rather than | better than | over )",
    r"\bi like .{1,60} (?:better|more)(?: than\b.{1,40})?$",
    rf"\binstead of .{{1,60}}?,? (?:please |you should |you can |just |always |we )?{_CHOOSE}\b",
    rf"^(?:by default|in general|as a (?:general )?rule|generally|usually|normally|in principle|as a habit)[, ]+(?:please )?{_HABIT}\b",
    rf"^(?:{_FILL})?for (?:all |any |every |new |our )?(?:\w+ )?{_NOUN},? (?:please |always |we )?{_CHOOSE}\b",
    rf"\b(?:our|all|your) (?:\w+ ){{0,2}}{_NOUN} (?:is|are|should be|go|goes|live|lives|come|start|end|use) (?:always |never |only )?",
    rf"\b{_NOUN} (?:is|are|go|live|start|end) (?:always|never|only)\b",
    rf"\b{_NOUN} .{{0,40}}\b(?:in|for|across) (?:this|our) (?:\w+ )?(?:repo|project|codebase|team|company) (?:go|goes|is|are|use|live|run|must|should|need|have|start|get)\b",
    r"\bit(?:'s| is) (?:always )?q+,? (?:not|never) q+",
    r"\b(?:it(?:'s| is)|that(?:'s| is)) (?:always )?.{1,40}, (?:not|never) .{1,60}\b(?:in (?:all|our|every)|everywhere|here|for (?:all|every)|in this (?:repo|project|codebase))",
    rf"^{_FILL}{_NOUN} (?:only )?in (?:{_LANGUAGE}|(?:the )?(?:imperative|present tense|past tense|lower ?case|upper ?case|snake|camel|kebab|title case|sentence case|utc|iso|markdown|british|american))",
    rf"^{_FILL}{_LANGUAGE} only\b|^{_FILL}(?:everything|all of it|all) in {_LANGUAGE}|^{_FILL}in {_LANGUAGE},? please$",
    rf"\bi(?:'d| would)? (?:want|like|expect|need) (?:all |every |each |my |your |our )(?:\w+ ){{0,2}}{_NOUN} (?:to |in |as |with )",
    r"\b(?:keep|bear) (?:that|this|it) in mind$|\b(?:that|this)(?:'s| is) (?:the|a|our) (?:house |team )?(?:rule|convention|policy)\b|^(?:house |team )?rule(?: (?:number )?\w+)?:",
    r"\b(?:make it a habit|get (?:in|into) the habit|be in the habit)\b",
    r"\b(?:hands off|off limits|off-limits|is (?:forbidden|banned|not allowed|prohibited)|are (?:forbidden|banned|not allowed|prohibited))\b",
    r"\byou(?:'re| are) not (?:allowed|supposed) to \w+|\byou (?:must not|mustn't|may not|shouldn't(?: ever)?|should not) \w+",
    rf"{_LEAD}(?:let's not|not) (?:{_HABIT})\b.{{1,80}}\b(?:anymore|any more|any longer|again|anywhere|here|at all)\b",
    # do not
    rf"{_LEAD}(?:do not|don'?t ever|don'?t|quit|avoid|refrain from|no more|stop) "
    rf"(?!{_NOT_TO}\b)(?!the (?:server|build|process|job|watcher|container|service|loop|app|daemon|timer)\b)\w+",
    r"\bi (?:do not|don'?t|never) (?:want|like|need|accept|approve of) (?!to\b|how\b|the way\b|it\b|them\b|any of)\w+",
    r"\bi (?:hate|dislike|can't stand) (?!it|when it|this|that|how)\w+",
    rf"^{_FILL}(?:please,? )?no (?!worries|problem|idea|thanks|need to (?:worry|wait|hurry)|errors?|luck|longer|one|tests? (?:ran|failed|found)|changes?|results?|way|matter|doubt|i |it |we |you |the |that|this|not)"
    r"[\w-]+(?: [\w-]+){0,3}(?: (?:in|for|at|when|unless|without|inside|please|anymore|at all|ever)\b|, (?:please|keep|just|ever)|$)",
    r"^(?:please )?no need to \w+ (?:every|each|all|your|the \w+s|me\b)",
    # how to answer
    rf"{_LEAD}(?:answer|reply|respond|write|speak|talk|explain(?: \w+)?|communicate|comment|document|summari[sz]e|report)(?: (?:to )?me| back| everything| (?:\w+ )?{_NOUN})? (?:only )?in {_LANGUAGE}",
    rf"{_LEAD}(?:keep|make|write|name|put|format|prefix|phrase|sign|start|end|begin|structure) (?:all |your |our |the |any |every )?(?:\w+ ){{0,2}}{_NOUN} (?!for the|of the)"
    r"(?:\w+ )?(?:short|brief|small|concise|terse|simple|focused|minimal|to \w+|under|below|at|in|with|after|like|as|lower-?case|upper-?case|"
    r"sorted|alphabetical\w*|separate|together|consistent|up to date|atomic|pure|plain|formal|informal|polite|singular|plural|short\w*)\b",
    r"\b(?:be|keep it|keep things) (?:more |less )?(?:concise|brief|terse|short|verbose|formal|polite|simple|direct)\b",
    rf"{_LEAD}(?:put|write|name|use|format|indent) .{{1,80}} (?:for|in|on) (?:all|every|each|any|everything|commit messages|commits|prs|tests|comments|docs|names|code|sql|"
    rf"branch names|variable names|all new|new) ?",
    rf"^{_FILL}use (?!it|them|the|my|a |an |an? new)[\w.+-]+(?: [\w.+-]+)? (?:everywhere|for (?:everything|{_NOUN})|by default|throughout|across the|consistently)",
    rf"{_LEAD}only (?:{_HABIT}|change|delete|remove|create|modify|open|start|answer|explain)\b.{{0,60}}\b(?:when|if|after|once|unless) (?:i|we|you|told|asked|explicitly)\b",
    rf"{_LEAD}only (?:use|deploy|log|import|write)\b.{{1,60}}\b(?:in|from|for|on|to)\b",
    rf"{_LEAD}(?:{_HABIT}|change|delete|remove|create|modify|run|push|open|start)\b.{{0,60}} only (?:when|if|after|once) (?:i|we|you'?re (?:asked|told)|asked|told|explicitly)\b",
    rf"\b{_HABIT}\b.{{1,80}}\bunless (?:i|we|you(?:'re| are)|explicitly|asked|told|otherwise)\b",
    # said before
    r"\b(?:i|we)(?:'ve| have)? (?:already |just )?(?:told|asked|reminded) you (?:\w+ )?(?:not to|to|about|that we|we|never|always|no|before)\b",
    rf"\b(?:i|we) (?:already |just )?said (?:no|not|to|use|never|always|only|we|in {_LANGUAGE})\b",
    r"\byou keep (?:on )?(?!going|getting|seeing|saying|asking|telling|hitting|failing|running into|timing|crashing|losing|being|having|looking|trying)\w+ing\b",
    r"\byou (?:keep|always|constantly) (?:on )?(?:adding|using|writing|forgetting|putting|deleting|removing|committing|pushing|changing|ignoring|inserting|creating|mixing|importing|"
    r"forget|add|use|write|put|skip|ignore)\b",
    rf"\bthat'?s not how we\b",
)
_NO = (
    r"(?:no|nope|nah|wrong(?: \w+){0,2}|incorrect|not (?:like )?that|that'?s (?:wrong|not right|not it|incorrect|not what i (?:asked|meant|wanted)(?: for)?)|"
    r"not what i (?:asked|meant|wanted)(?: for)?|not quite|i (?:already )?(?:told|said to|reminded|asked) you(?: already| before| (?:twice|once))?)"
)
_CORRECTED: tuple[str, ...] = (
    rf"^{_NO}[,.:! -]+{_FILL}(?:(?:we|i|it(?:'s| is)?|that(?:'s| is)?|in this (?:repo|project|codebase),?|here,?) )?.{{0,60}}(?:,? not | instead of | rather than | over )(?!yet|sure|now)\S",
    rf"^(?:no|nope|nah|wrong|incorrect|not (?:like )?that|that'?s (?:wrong|not right|not it|incorrect)|not quite|actually|hold on|sorry|i (?:meant|said))\b"
    rf"[,.:! -]+{_FILL}(?:we |you should |it should |please |let's )?{_CHOOSE} (?!it\b|them\b|me\b|the (?!same|standard|new|existing)|him\b|a (?!single)|going|that|another|as is|in mind)\S+",
    rf"^(?:no|nope|wrong)\b[,.:! -]+{_FILL}(?:in {_LANGUAGE}|with \w+|{_NOUN}(?: \w+)? (?:go|belong|live|are|should)|[\w.+-]+, not |we \w+|i (?:want|need|asked for))",
)
_AFTER_NO = re.compile(
    rf"^{_FILL}(?:we |it should |let's )?{_CHOOSE} (?!it\b|them\b|me\b|the |a |him\b|going|that|another)\S+"
    rf"|^{_FILL}(?:i (?:want|asked for|meant)|in {_LANGUAGE})|^.{{0,80}}(?:,? not | instead of | rather than )(?!yet|sure|now)\S"
)
_CORRECTION = re.compile(rf"^{_NO}(?:,? (?:sorry|again|please))?$")
_UNSURE = re.compile(
    rf"^{_FILL}use (?:[\w.+/-]+)(?: [\w.+/-]+)?(?: (?:for (?:this|the) \w+|please))?$"
)

_EXPLICIT = re.compile(
    r"(?:^|[,.:] )(?:please |pls |also |btw,? |and |note,? |ok,? |hey,? |claude,? ){0,3}"
    r"(?:remember(?! (?:when|how|what|why|if|where|who|to (?:run|fix|add|update|push|commit|check|do) (?:it|that|this|the)))"
    r"(?:(?: (?:this|the following))?(?: (?:for (?:later|next time|the future)|from now on))? ?[:：—-]| that\b(?=\s+\w+ \w+)|,? (?=(?:we|i|our|my|always|never) )|"
    r" (?=to (?:always|never)\b))|"
    r"memori[sz]e(?: (?:this|that|the following))? ?[:：]?|(?:keep in mind|bear in mind)(?: that\b|[:,：])|"
    r"(?:make|take) a note(?: of this)?(?: ?[:：]| that\b)|(?:quick |small |one )?(?:note|reminder) (?:for (?:the future|later|next time)|to self(?: and (?:to )?you)?|to you) ?[:：]|"
    r"for future reference ?[,:：]|add (?:this )?to (?:your |the )?memory ?[:：]|save (?:this )?(?:to|in) (?:your |the )?memory ?[:：])"
)
_CONSTRAINT = re.compile(
    r"\b(?:never|don'?t|do not|must not|mustn't|stop|avoid|without (?:asking|my|permission)|no more|refrain|quit|may not|not allowed|only (?:when|if))\b|^(?:please )?no "
)
_WORKFLOW = re.compile(
    r"\b(?:before|after|whenever|every ?time|each time|when you|if you|first|ask me|check with me|run )\b"
)

_POSITIVES = re.compile("|".join(f"(?:{wording})" for wording in _POSITIVE))
_CORRECTIONS = re.compile("|".join(f"(?:{wording})" for wording in _CORRECTED))
_THE_ONE = re.compile(
    rf"{_LEAD}(?:do not|don'?t|stop|avoid|quit) (?:\w+ ){{1,2}}(?:the|it|them|him|her)\b(?! (?:\w+ )?\w+s\b)(?! (?:\w+ )?(?:code|main|database|production|user))"
)
_OPAQUE_ONLY = re.compile(r"^[\Wq]*$")


_HURRIED = (
    (re.compile(r"’"), "'"),
    (
        re.compile(r"\b(do|does|did|wo|ca|is|are|was|should|must|could|would|have|has)nt\b"),
        r"\1n't",
    ),
    (re.compile(r"\blets\b"), "let's"),
    (re.compile(r"\bu\b"), "you"),
    (re.compile(r"\b(?:pls|plz|plse)\b"), "please"),
    (re.compile(r"\ba(?:l?w[ay]{1,3}a?s|llways|lwyas|wlays)\b"), "always"),
    (re.compile(r"\b(?:nevr|neever|nver)\b"), "never"),
    (re.compile(r"\bno(?:,? no)+\b"), "no"),
    (re.compile(r"\b(never|always|not) ever\b"), r"\1"),
    (re.compile(r"\bdon'?t you (?:ever|dare)(?: to)?\b"), "don't"),
)
"""What people type in a hurry, and how it is meant."""


def _plain(text: str) -> str:
    for wording, meant in _HURRIED:
        text = wording.sub(meant, text)
    return text


def may_instruct(prompt: str) -> bool:
    """A quick look at whether any word of an instruction stands there."""
    return _MAY.search(prompt) is not None


def explicit(sentence: str) -> int | None:
    """Where the thing to remember begins."""
    found = _EXPLICIT.search(sentence.replace("’", "'"))
    if found is None or _QUESTION.match(sentence[: found.start()]):
        return None
    return min(found.end(), len(sentence))


def is_none(sentence: str, ender: str) -> bool:
    """Whether it is a question, a report, talk about others, or an order for once."""
    text = _plain(sentence)
    if _OPAQUE_ONLY.match(text):
        return True
    if _POLITE.search(text):
        return False
    if "?" in ender or "？" in ender or _QUESTION.match(text):
        return True
    return _is_once(text) or _REPORT.search(text) is not None


def _is_once(text: str) -> bool:
    if _ONE_OFF.search(text) is None and _THE_ONE.search(text) is None:
        return False
    return _KEEPS.search(text) is None


def verdict(sentence: str, is_corrected: bool) -> Verdict | None:
    """Whether it tells how something is to be done from now on."""
    text = _plain(sentence)
    if _CORRECTIONS.search(text) or (is_corrected and _AFTER_NO.match(text)):
        return "sure"
    if _POLITE.search(text):
        return "sure"
    found = _POSITIVES.search(text)
    if found is not None:
        return None if _TASK.match(text) and _within(text, found.start()) else "sure"
    return "unsure" if _UNSURE.match(text) else None


def _within(text: str, at: int) -> bool:
    """Whether a wording stands inside an order for once: what is to be made, not how to work."""
    return text[at : at + 1] not in ",:" and not _KEEPS.search(text)


def kind(sentence: str) -> Kind:
    """A constraint forbids, a workflow says when; the rest are preferences."""
    text = _plain(sentence)
    if _CONSTRAINT.search(text):
        return "constraint"
    return "workflow" if _WORKFLOW.search(text) else "preference"


def is_correction(sentence: str) -> bool:
    """Whether it says no more than that the answer before was wrong."""
    return _CORRECTION.match(_plain(sentence)) is not None


ENGLISH = Rules(may_instruct, explicit, is_none, verdict, kind, is_correction)
