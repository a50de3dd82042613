"""Tell whether a prompt has a subject of its own, or only approves, declines, answers, thanks or goes on.

Two closed tables say which words name nothing: English with the commonest words of three other languages, and
Japanese with Chinese. Hiragana is grammar, and a letter, an emoji or a number of two digits picks an answer. Any
other word is a subject.
"""

import unicodedata

from hooklore.late_pattern import compile_late

_WORDS = frozenset(
    # approve, decline, thank, greet
    " yes yep yeah yup ya aye no nope nah not ok okay okey kk sure fine good great nice cool perfect"
    " excellent awesome amazing wonderful lovely brilliant splendid super correct right wrong true false"
    " exactly absolutely definitely certainly indeed agree agreed approve approved accept accepted reject"
    " rejected decline declined confirm confirmed deny denied lgtm thanks thank thx ty cheers please pls"
    " plz sorry welcome hi hey hello bye pardon excuse np sounds sound looks look seems seem works work"
    " worked happy glad love loved like liked well better best worse alright alrighty roger ack"
    " acknowledged understood gotcha noted permission granted"
    # pick an answer
    " option options choice choices answer answers alternative alternatives variant proposal proposed"
    " propose suggestion suggested suggest recommend recommended recommendation described describe said"
    " mentioned outlined plan idea approach version one ones two three four five six both either neither"
    " none all each every everything anything nothing something some any most first second third fourth"
    " fifth last latter former next previous other others another same different whichever whatever"
    " whoever wherever however pick choose chose chosen select selected prefer preferred decide decided"
    " decision question questions number point points item items part parts rest"
    # go on, stop, again
    " go going goes gone went ahead on continue continues proceed proceeding carry keep keeps kept move"
    " forward start begin resume finish finished end ended done complete completed ship wait waiting hold"
    " pause stop stopped cancel abort quit skip leave left drop undo redo revert retry try tried again"
    " repeat back over through until till away step steps once twice time times moment minute second sec"
    " bit while later soon now today tomorrow yet still already before after then when whenever"
    # how
    " shorter longer short long simpler simple cleaner clean smaller small bigger big faster fast slower"
    " slow quick quickly slowly easier easy safer safe brief briefly detail details more less fewer much"
    " many little few lot enough quite rather pretty very really too so just only maybe perhaps probably"
    " possibly actually basically simply almost nearly also else instead anyway otherwise together alone"
    " carefully exact properly fully further odd odder strange weird strong strongly weak opinion opinions view"
    " views feeling feelings thought thoughts"
    # grammar and light verbs
    " a an the this that these those it its i im ive id ill me my mine myself you youre youve youd youll"
    " your yours yourself we were weve wed us our ours he she him her his they theyre them their there"
    " theres thats whats heres here lets let is isnt are arent am was wasnt be been being do dont does"
    " doesnt did didnt doing have havent has hasnt had having can cant cannot could couldnt will wont"
    " would wouldnt shall should shouldnt may might must need needs want wants wanted get gets got make"
    " makes made take takes took give gives gave put see saw seen show shows tell told say says ask asked"
    " think thinks thought know knew guess believe mean means feel hear come came help use check read way"
    " ways mind care matter problem problems worry worries issue thing things stuff case course what which"
    " who whom whose why how where whether if and or but nor of to in at by for from with without within"
    " as than about around into onto out off up down per like hmm hm mhm mm mmm uh uhm um er ah aha oh ooh"
    " wow whoa lol haha hehe oops huh eh meh ugh yay hooray"
    # German, Spanish, French
    " ja nein doch passt gut genau klar danke bitte gerne gern lieber nicht mach mache machen weiter so"
    " das die der es ist und oder aber noch mal einmal nochmal warte stimmt richtig falsch super alles"
    " alle beide erste zweite dritte wie du ich wir kannst kann soll sollen okay einverstanden vielen dank"
    " zuerst si sí no vale bien bueno claro gracias por favor adelante sigue siga continua continúa de"
    " acuerdo perfecto listo espera eso esta está el la los las lo un una primera segunda primero segundo"
    " todo todos otra otro vez como que qué mejor muy y o pero hazlo dale oui non daccord merci parfait"
    " bon très tres vas continue continuez cest ça ca va les le premier première deuxième tout tous encore"
    " plaît plait sil vous te stp svp et ou mais".split()
)
_CJK_WORDS = compile_late(
    # longer words first: an alternation takes the first that fits
    "オーケー|オッケー|オプション|パターン|プラン|ステップ|ストップ|キャンセル|スキップ|サンキュー|イエス"
    "|ノー|ダメ|タイプ|バージョン|ハイ|イイ|ナイス|グッド|コメント|大丈夫|番目|最初|最後|全部|全て|両方|方"
    "針|方法|途中|安全|提案|確認|問題|結構|賛成|反対|却下|採用|承認|承諾|実行|開始|完了|十分|説明|簡単|丁"
    "寧|理由|感謝|早速|一旦|一度|一緒|一番|一応|保留|中止|停止|再度|再開|継続|続行|修正|変更|対応|手数|完"
    "璧|素晴|最高|流石|完全|正解|間違|本当|絶対|多分|同意|同様|以上|以下|今日|明日|後日|時間|意見|相談|判"
    "断|必要|不要|場合|感じ|自分|自由|自信|勝手|希望|質問|回答|返事|返答|内容|残念|微妙|無理|無視|了解|承"
    "知|了承|賛同|状態|状況|作業|指示|通常|普通|適当|適切|最適|具体的|基本的|個人的|没问题|没有|可以|继续"
    "|谢谢|这样|那样|这个|那个|不用|不要|不行|就是|看起来|同意|确认|全都|一下|没事|随便|什么|为什么|怎么|"
    "稍等|等等|明白|知道|[一二三四五六七八九十]|[了解任進迷思方選構願後見先前同違少短待戻元続通案番次今度"
    "直良好上下左右両可否終始長早速急何誰私様他別決正言教頼分気良行来出入使試取止休止考答聞読書作消残全皆"
    "両々的是不对就那这个第都等请做你我也要看算重再吧吗呢啊嗯好您们会能想给让点些很太多]"
)
_GRAMMAR = compile_late("[\u3041-\u309fー〜]+")
_PART = compile_late(r"\w+")
_LONGEST_NUMBER = 2
_LONGEST = 4_096
"""Characters that are read: nobody approves or declines in more."""


def has_subject(text: str) -> bool:
    """Return whether a text has a word that names something."""
    said = text[:_LONGEST]
    if not said.isascii():
        said = unicodedata.normalize("NFKC", said).replace("’", "")
        said = _GRAMMAR.sub(" ", _CJK_WORDS.sub(" ", said))
    return any(not _is_empty(part[0]) for part in _PART.finditer(said.replace("'", "").lower()))


def _is_empty(word: str) -> bool:
    is_choice = len(word) == 1 and word.isascii()
    is_number = word.isdecimal() and len(word) <= _LONGEST_NUMBER
    return word in _WORDS or is_choice or is_number
