import type { EntryLines } from "./entry-lines.js"
import { REDACTED } from "./scope.js"

/** UTF-16 units of a token, about, as the core estimates them. */
const UNITS_PER_TOKEN = 4
/** UTF-16 units of so many tokens. */
export function unitsOf(tokens: number): number {
  return tokens * UNITS_PER_TOKEN
}

/** The share of a budget that one entry may take: a long result must not hide what is around it. */
const ONE = 1 / 3

/** A part of a list of entries. */
export interface Part {
  readonly text: string
  /** The ids of the nearest entries before and after that were left out. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What an answer may have. */
export interface Budget {
  /** About so long. */
  readonly tokens: number
  /** UTF-16 units of them that something else takes. */
  readonly used: number
  /** What a text goes through before it is cut: of what is cut, a secret could not be found. */
  readonly redact: (text: string) => string
}

/** The entry at `at`, and as many on both sides in turn as the budget allows; long ones are cut. */
export function aroundWithin(lines: readonly EntryLines[], at: number, { tokens, used, redact }: Budget): Part {
  const units = Math.max(0, unitsOf(tokens) - used)
  const longest = Math.floor(units * ONE)
  let [from, to, left] = [at, at, units]
  const taken: string[] = []
  const take = (index: number, isBefore: boolean): boolean => {
    const text = shortened(lines[index]?.text ?? "", longest, redact)
    if (text.length > left) return false
    left -= text.length
    if (text !== "") isBefore ? taken.unshift(text) : taken.push(text)
    return true
  }
  let [isOpenBefore, isOpenAfter] = [true, true]
  if (to < lines.length && at >= 0) take(to++, false)
  while (isOpenBefore || isOpenAfter) {
    isOpenBefore &&= from > 0 && take(from - 1, true)
    if (isOpenBefore) from -= 1
    isOpenAfter &&= to < lines.length && take(to, false)
    if (isOpenAfter) to += 1
  }
  return { text: taken.join("\n\n"), before: lines[from - 1]?.id || undefined, after: lines[to]?.id || undefined }
}

/** A text without what is in its middle, where it is too long. @param longest UTF-16 units */
export function shortened(text: string, longest: number, redact: (text: string) => string): string {
  if (text.length <= longest) return redact(text)
  const half = Math.floor(longest / 2)
  const start = redact(text.slice(0, half + REDACTED)).slice(0, half)
  const end = half === 0 ? "" : redact(text.slice(-half - REDACTED)).slice(-half)
  return `${start}\n[… ${text.length - 2 * half} characters left out …]\n${end}`
}
