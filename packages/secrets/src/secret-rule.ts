import { looksRandom } from "./rules/randomness.js"

/** How to recognize one kind of secret. */
export interface SecretRule {
  readonly kind: string
  /** Every match of the pattern contains one of these, which are faster to find. Empty: only the pattern is used. */
  readonly hints: readonly string[]
  /** The group `secret`, or else the whole match, is the secret. Sticky if it starts with a hint, otherwise global. */
  readonly pattern: RegExp
  /** Finds the secrets within the match, each a group `secret`; the rest of the match is not secret. */
  readonly each?: RegExp
  /** Matches the rest of a secret after the pattern, which matches only what is needed to recognize it. Sticky. */
  readonly rest?: RegExp
  /** A final check of the match and its position. */
  readonly accepts?: ((secret: string, text: string, start: number) => boolean) | undefined
}

/** Between a name and its value: `=`, `:`, `=>` or `:=`, with quotes around either, escaped ones too. */
export const IS = String.raw`\\{0,8}["'\`]?\s{0,3}(?::=|=>|[:=])\s{0,3}\\{0,8}["'\`]?`

/**
 * A rule for tokens with a known prefix.
 * @param beginnings the possible prefixes
 * @param source the pattern of a whole token
 * @param accepts a final check of the token
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

/** Prefixes with which no word ends, so that they are recognized even after a letter or digit. */
const UNMISTAKABLE =
  /^[A-Za-z0-9]{3,10}[_.-]|^[A-Za-z0-9]{2,10}[_.-][A-Za-z0-9]{1,10}[_.-]|^A[KS]IA|^AIza|^AGE-|^(?:SK|AC)[a-f0-9]{32}|^eyJ|^EZ[AT]K|^AKCp/
/** More letters and digits before it are base64, in which every prefix occurs by chance. */
const LONGEST_WORD_BEFORE = 40

/** Whether a token may start at a position. Within a word, its prefix must be one with which no word ends. */
function mayBegin(token: string, text: string, start: number): boolean {
  let before = start
  while (before > 0 && start - before <= LONGEST_WORD_BEFORE && /[A-Za-z0-9]/.test(text[before - 1] ?? "")) before -= 1
  if (before === start) return true
  if (start - before > LONGEST_WORD_BEFORE) return false
  return looksRandom(token) && (UNMISTAKABLE.test(token) || (/[a-z]/.test(token) && /[A-Z]/.test(token)))
}

/** A rule for secrets that are recognized by the name before them. */
export function namedRule(kind: string, name: string, secret: string, accepts?: SecretRule["accepts"]): SecretRule {
  return { kind, hints: [], pattern: new RegExp(`${name}${IS}(?<secret>${secret})`, "gi"), accepts }
}
