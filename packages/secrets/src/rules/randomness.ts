import { wordLikeness } from "./word-likeness.js"

/** Whether a text has upper-case and lower-case letters and digits, as random texts have, and hashes in hex have not. */
export function mixesLetters(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)
}

const PLACEHOLDER =
  /^(?:x+|\*+|\.+|-+|p(?:ass)?w(?:or)?d|pass(?:word)?\d{0,3}|pass(?:phrase)?|secret|changeme|change-me|user|username|token|example|test|foo|bar|baz|my-?pass(?:word)?|your[\w-]*|some[\w-]*|redacted)$/i
const VARIABLE = /\$\{|\$\(|\{\{|^\$[A-Za-z_]\w*$|^%\w+%?$|^\{|^<|\.\.\.|…|^\[redacted/

/** Whether a text in the place of a password may be one: not a placeholder, and not a variable. */
export function isPassword(text: string): boolean {
  return !PLACEHOLDER.test(text) && !VARIABLE.test(text) && new Set(text).size > 2
}

/** Shorter texts cannot be classified as random or words. Characters. */
const SHORTEST = 12
/** Paths have short names, which are less significant. Bits. */
const PATHS = -4
/** The most characters to examine. */
const ENOUGH = 120

/** URLs, paths, dates and numbers. */
const PLACE_OR_NUMBER =
  /^[a-z][a-z+]{1,9}:\/\/|^(?:\.{1,2}|~)\/|^\/(?:home|Users|tmp|var|usr|etc|opt|run|root|mnt|dev|proc|srv|app|workspace)\/|\.(?:[cm]?[jt]sx?|json|md|py|rs|go)$|^\d{4}-\d\d-\d\d(?:T|$)|^\d{4,}[&|?]|^[\d.,:_-]+$/
/** The name of a variable or a header. */
const NAME =
  /^[A-Z]{2,}[A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Za-z]+(?:[_-][A-Za-z0-9]+)*[_-](?:[Kk]ey|[Tt]oken|[Ss]ecret|[Pp]assword)$/
const CODE = /a-z|A-Z|0-9|\\[dws]|\(\?|\{\d+,?\d*\}|=>|[=!]==|\|\||\(\)|<\//

/**
 * Whether a text looks random: not a name, a word, or anything else that is used in the place of a secret. Recognizes more than 99 %
 * of random texts of 12 characters.
 */
export function looksRandom(whole: string): boolean {
  const text = whole.slice(0, ENOUGH)
  if (text.length < SHORTEST || !/^[!-~]+$/.test(text) || new Set(text).size < 5) return false
  if (VARIABLE.test(text) || PLACE_OR_NUMBER.test(text) || NAME.test(text) || CODE.test(text) || isSequence(text))
    return false
  return isHex(text) || wordLikeness(text) < (text.startsWith("/") ? PATHS : 0)
}

/** Whether a text looks like a chosen password and not like code: letters of both cases with digits or other characters. */
export function looksMadeUp(text: string): boolean {
  if (!isPassword(text) || !/^[!-~]+$/.test(text) || CODE.test(text) || PLACE_OR_NUMBER.test(text)) return false
  if (!/[A-Za-z]/.test(text) || !/\d/.test(text)) return false
  return /[!#$%^&*~+]/.test(text) || (mixesLetters(text) && !/[.:/?=|&]/.test(text) && !isMadeOfWords(text))
}

function isHex(text: string): boolean {
  return /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text) && /\d/.test(text)
}

/** Placeholders such as `abcdefghijkl` and `0123456789ab`. */
function isSequence(text: string): boolean {
  let steps = 0
  for (let at = 1; at < text.length; at++) if (text.charCodeAt(at) - text.charCodeAt(at - 1) === 1) steps += 1
  return steps > text.length / 2
}

/** Names composed of words and numbers: `max-tokens-2024-v2`, `sha256WithRSAEncryption`. */
function isMadeOfWords(text: string): boolean {
  const inWords = (text.match(/[A-Za-z]?[a-z]{3,}|[A-Z]{4,}/g) ?? []).join("").length
  return inWords > text.length * 0.55
}
