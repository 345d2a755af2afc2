/**
 * How often each letter follows another in names and words of source code, compared with chance: `q` is as frequent, each following
 * letter of the alphabet half a bit more, each preceding one less. One row per first letter: a to z, then the start of a word.
 */
const PAIRS = [
  "fpsrgkqgqhmtrsdqfusuomlloi",
  "uklkujkhsrgujgtkprqktagaqh",
  "tloithetpgrrkevkaqmupdiimd",
  "sjmrxmkhugjqjgskkoqlqieina",
  "rlstnpngjigqqulpnutsiolrmc",
  "somossjawgfrhmuhlrppsaaipg",
  "qljhwjpsuaaqnsqkarrqskaali",
  "vjaawaaiuaapnktjarosqahala",
  "pnrqqqqghairrvtogpstfofman",
  "rmlmwkbombbnbbsmkbxnpnmbnl",
  "rjkoxoqjtaajaqmojjukqalaaa",
  "tmjqvkjhumktiitmejrqrmiape",
  "vqilwfkatlgnqlstagpkojeejg",
  "rksttotjqgnminrmeitvpodalg",
  "moqrjpneoiorrvpraupqroqjhg",
  "ujjmuehnqajsljtqaupsqiaila",
  "lbllmmnbnbnlbbbbbbpmzbmbpn",
  "tkoowlogtanloqticqrspljapa",
  "phrjvlhqtammkkrrgjsvrikkpa",
  "thokvjetuecmjisnasrqqakirc",
  "qqppspoaqaitsulrausthaagag",
  "wlkixhlauaiiijraaanikaaali",
  "uiantaltuaamastiasrlaaojil",
  "rjsatmnjsaaammmwajjwnaakna",
  "poojqalanlaqstrwamsraarqpa",
  "rcmnxcnmtccommtcccopnmpqpq",
  "rqtrrroprmmqqpqskrtspopikj",
]

const BEGINNING = 26
const [CAPITAL_A, SMALL_A, ZERO, AS_OFTEN] = [..."Aa0q"].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
]

/** The weight of a change from one kind of character to another. Bits; negative if it is rare in names and words. */
const DIGIT_IN_WORD = -2.5
const LETTER_BEHIND_DIGIT = -1
const HUMP = -2
const SMALL_BEHIND_SMALL = 0.8
const SMALL_BEHIND_CAPITAL = 0.6
const CAPITAL_BEHIND_CAPITAL = -0.5
const SEPARATOR = 0.5
const SIGN = -2

/** How much more a text looks like names and words than like random characters. Bits; below zero for random texts. */
export function wordLikeness(text: string): number {
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text)
  let [bits, before, run] = [0, BEGINNING, 0]
  let kind: "small" | "capital" | "digit" | "other" = "other"
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isSmall = code >= SMALL_A && code < SMALL_A + 26
    const isCapital = code >= CAPITAL_A && code < CAPITAL_A + 26
    if (isSmall || isCapital) {
      if (kind === "digit") bits += LETTER_BEHIND_DIGIT
      else if (isMixed && kind === "small") bits += isSmall ? SMALL_BEHIND_SMALL : HUMP
      else if (isMixed && kind === "capital")
        bits += isSmall ? (run > 1 ? -0.5 : SMALL_BEHIND_CAPITAL) : CAPITAL_BEHIND_CAPITAL
      const begins = kind === "digit" || (kind === "small" && isCapital)
      const letter = code - (isSmall ? SMALL_A : CAPITAL_A)
      bits += ((PAIRS[begins ? BEGINNING : before] ?? "").charCodeAt(letter) - AS_OFTEN) / 2
      before = letter
      run = kind === (isSmall ? "small" : "capital") ? run + 1 : 1
      kind = isSmall ? "small" : "capital"
      continue
    }
    if (code >= ZERO && code < ZERO + 10) {
      if (kind !== "digit") bits += kind === "other" ? -0.5 : DIGIT_IN_WORD
      kind = "digit"
    } else {
      bits += /[_./:-]/.test(text[at] ?? "") ? SEPARATOR : SIGN
      kind = "other"
    }
    before = BEGINNING
    run = 1
  }
  return bits
}
