/**
 * Whether a text is the beginning of a JSON object, and nothing else: what a writer leaves that dies in the middle of a line.
 * A whole object is none, and neither is what could not become one, whatever followed.
 */
export function isCutOff(text: string): boolean {
  let at = skipSpace(text, 0)
  if (text[at] !== "{") return false
  const open: ("}" | "]")[] = []
  let want: Want = "value"
  while (at < text.length) {
    const step = nextStep(text, at, want, open)
    if (step === undefined) return false
    at = skipSpace(text, step.at)
    want = step.want
    if (open.length === 0) return false
  }
  return true
}

/** What may stand next: a value (`first`: or the end of the list), a key (or the end of the object), `:`, or `,` and ends. */
type Want = "value" | "first" | "key" | "key or end" | "colon" | "more"

interface Step {
  readonly at: number
  readonly want: Want
}

/** Undefined where what stands there cannot. */
function nextStep(text: string, at: number, want: Want, open: ("}" | "]")[]): Step | undefined {
  const char = text[at]
  if (char === open.at(-1) && (want === "more" || want === (char === "}" ? "key or end" : "first"))) {
    open.pop()
    return { at: at + 1, want: "more" }
  }
  if (want === "more") return char === "," ? { at: at + 1, want: open.at(-1) === "}" ? "key" : "value" } : undefined
  if (want === "colon") return char === ":" ? { at: at + 1, want: "value" } : undefined
  if (want === "key" || want === "key or end") return token(text, at, stringEnd, "colon")
  if (char === "{" || char === "[") {
    open.push(char === "{" ? "}" : "]")
    return { at: at + 1, want: char === "{" ? "key or end" : "first" }
  }
  return token(text, at, char === '"' ? stringEnd : scalarEnd, "more")
}

function token(text: string, at: number, scan: (text: string, at: number) => number | undefined, want: Want) {
  const end = scan(text, at)
  return end === undefined ? undefined : { at: end, want }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/y

/** Behind a string that begins here, or at the end of the text, where it is cut. */
function stringEnd(text: string, start: number): number | undefined {
  if (text[start] !== '"') return undefined
  for (let at = start + 1; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return undefined
    if (code !== 0x5c) at += 1
    else if (matches(ESCAPE, text, at)) at = ESCAPE.lastIndex
    else return matches(CUT_ESCAPE, text, at) ? text.length : undefined
  }
  return text.length
}

const WORDS = ["true", "false", "null"]
const WORD_CHARS = /[-+.0-9A-Za-z]*/y
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const CUT_NUMBER = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*|(?:\.\d+)?(?:[eE](?:[+-]?\d*)?)?)?)?$/

/** The same for a number, `true`, `false` and `null`. */
function scalarEnd(text: string, start: number): number | undefined {
  matches(WORD_CHARS, text, start)
  const end = WORD_CHARS.lastIndex
  const word = text.slice(start, end)
  const isWhole = WORDS.includes(word) || NUMBER.test(word)
  const isCut = end === text.length && (CUT_NUMBER.test(word) || WORDS.some((one) => one.startsWith(word)))
  return word !== "" && (isWhole || isCut) ? end : undefined
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at += 1
  return at
}
