import { looksRandom } from "./rules/randomness.js"

/** How one kind of secret is known. */
export interface SecretRule {
  readonly kind: string
  /** One of these is in every text that the pattern fits: looking for them is faster. Empty: the pattern tells. */
  readonly hints: readonly string[]
  /** The group `secret`, where there is one, is what is secret; else all of it is. Sticky: it begins with a hint. Else global. */
  readonly pattern: RegExp
  /** Whether it takes what stands around the secret. Else a long word is all that the rule looks at. */
  readonly context?: boolean
  /** Secrets within what was found, each a group `secret`: the rest of it is none. */
  readonly each?: RegExp
  /** What may follow on a secret and is more of it, sticky: the pattern itself takes no more than it takes to know one. */
  readonly rest?: RegExp
  /** A last look at what the pattern found, and at where it stands. */
  readonly accepts?: ((secret: string, text: string, start: number) => boolean) | undefined
}

/** Between a name and its value: `=`, `:`, `=>` or `:=`, with quotes around either, escaped ones too. */
export const IS = String.raw`\\{0,8}["'\`]?\s{0,3}(?::=|=>|[:=])\s{0,3}\\{0,8}["'\`]?`

/**
 * A rule for tokens that are known by how they begin.
 * @param beginnings what such a token may begin with
 * @param source the pattern of a whole token
 * @param accepts a last look at the token
 */
export function tokenRule(
  kind: string,
  beginnings: readonly string[],
  source: string,
  accepts: SecretRule["accepts"] = () => true,
): SecretRule {
  return {
    kind,
    hints: beginnings,
    pattern: new RegExp(source, "y"),
    accepts: (token, text, start) => accepts(token, text, start) && mayBegin(token, text, start),
  }
}

/** A beginning that no word ends with: it tells a token also behind a letter or digit. */
const UNMISTAKABLE =
  /^[A-Za-z0-9]{3,10}[_.-]|^[A-Za-z0-9]{2,10}[_.-][A-Za-z0-9]{1,10}[_.-]|^A[KS]IA|^AIza|^AGE-|^(?:SK|AC)[a-f0-9]{32}|^eyJ|^EZ[AT]K|^AKCp/
/** More letters and digits than this in front are base64, in which every beginning comes up by chance. */
const LONGEST_WORD_BEFORE = 40

/** Whether a token may begin at a place. In the middle of a word it must be like nothing that words end with. */
function mayBegin(token: string, text: string, start: number): boolean {
  let before = start
  while (before > 0 && start - before <= LONGEST_WORD_BEFORE && /[A-Za-z0-9]/.test(text[before - 1] ?? "")) before -= 1
  if (before === start) return true
  if (start - before > LONGEST_WORD_BEFORE) return false
  return looksRandom(token) && (UNMISTAKABLE.test(token) || (/[a-z]/.test(token) && /[A-Z]/.test(token)))
}

/** A rule for what is known by the name that stands before it. */
export function namedRule(kind: string, name: string, secret: string, accepts?: SecretRule["accepts"]): SecretRule {
  return { kind, hints: [], pattern: new RegExp(`${name}${IS}(?<secret>${secret})`, "gi"), context: true, accepts }
}
