/** Whether a text holds capital and small letters and digits, as random ones of some length do, and hashes in hex do not. */
export function mixesLetters(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)
}

/** Bits for each character, by how often each occurs: words have about 3, long random texts more than 4. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

const PLACEHOLDER =
  /^(?:x+|\*+|\.+|-+|p(?:ass)?w(?:or)?d|pass(?:word)?\d{0,3}|pass(?:phrase)?|secret|changeme|change-me|user|username|token|example|test|foo|bar|baz|my-?pass(?:word)?|your[\w-]*|some[\w-]*|redacted)$/i
const VARIABLE = /\$\{|\$\(|\{\{|^\$|^%|^\{|^<|\.\.\.|…/

/** Whether what stands in the place of a password may be one: not a word that stands for it, and not a variable. */
export function isPassword(text: string): boolean {
  return !PLACEHOLDER.test(text) && !VARIABLE.test(text) && new Set(text).size > 2
}

/** Whether a text is nothing that a person or a program wrote as a name: letters and digits in no order. */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || VARIABLE.test(text) || /^https?:|^[./~]|\.(?:[cm]?[jt]sx?|json|md|py|rs|go)$/.test(text))
    return false
  const digits = text.replace(/\D/g, "").length
  const letters = text.replace(/[^A-Za-z]/g, "").length
  if (digits < 3 || letters < 4) return false
  return entropyOf(text) >= (text.length < 24 ? 3.4 : 3.2) && !isMadeOfWords(text) && !isPathOfNames(text)
}

/** Whether a text is what people take for a password, and no code: letters of both sizes with digits, or with other signs. */
export function looksMadeUp(text: string): boolean {
  if (!isPassword(text) || !/[A-Za-z]/.test(text) || !/\d/.test(text)) return false
  return /[!#$%^&*~+]/.test(text) || (mixesLetters(text) && !/[.:/?=|&]/.test(text) && !isMadeOfWords(text))
}

/** Names that are put together from words, with a number at times: `max-tokens-2024-v2`, `sha256WithRSAEncryption`. */
function isMadeOfWords(text: string): boolean {
  const inWords = (text.match(/[A-Za-z]?[a-z]{3,}|[A-Z]{4,}/g) ?? []).join("").length
  return inWords > text.length * 0.55
}

/** `ed25519.Ed25519PrivateKey.from_bytes` */
function isPathOfNames(text: string): boolean {
  return /^[A-Za-z_]\w{0,23}(?:\.[A-Za-z_]\w{0,23})+$/.test(text)
}
