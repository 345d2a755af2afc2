import { mixesLetters } from "./randomness.js"

/** Characters on each side that are examined. */
const ENOUGH = 400
/** What is shorter may be a name with a token in it. Characters. */
const SHORTEST = 256

/** Base64 up to a position, and from it on: as MIME breaks it into lines, and base64url. */
const FORMS: readonly (readonly [before: RegExp, after: RegExp])[] = [
  [
    /(?<=(?<before>(?:[A-Za-z0-9+/]{60,100}\r?\n){1,4}[A-Za-z0-9+/]{0,100}|[A-Za-z0-9+/]{64,400}))/y,
    /(?<line>[A-Za-z0-9+/]{0,400})(?:\r?\n[A-Za-z0-9+/]{60,100}){0,4}/y,
  ],
  [/(?<=(?<before>[\w-]{64,400}))/y, /(?<line>[\w-]{0,400})/y],
]

/** Whether a text is only a part of the base64 of a file, such as a picture: every token occurs in it by chance. */
export function isWithinBase64(part: string, text: string, start: number): boolean {
  return FORMS.some(([ending, beginning]) => {
    ending.lastIndex = beginning.lastIndex = start
    const before = ending.exec(text)?.groups?.before
    const found = beginning.exec(text)
    if (before === undefined || !found || before.length + found[0].length < SHORTEST) return false
    const length = found.groups?.line?.length ?? 0
    // A line of its own is a token in a list of them.
    const isPart = before.endsWith("\n") ? length > part.length : length >= Math.min(part.length, ENOUGH)
    return isPart && mixesLetters(before + found[0])
  })
}
