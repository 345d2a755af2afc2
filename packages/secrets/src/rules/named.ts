import type { SecretRule } from "../secret-rule.js"
import { looksMadeUp, looksRandom } from "./randomness.js"

/** What follows such a word in a name: `tokenOfMain`, `password_2`. */
const MORE = "[a-z0-9_-]{0,20}"
const PASSWORD = `(?:(?:passw(?:or)?d|passphrase|passcode|pwd)${MORE}|pass)`
const CREDENTIAL = `(?:secret|token|(?:api|access|auth|private|encryption|signing|account|master|session|client|service|license|shared)[_-]?key|credentials?|webhook|authorization|PHPSESSID|JSESSIONID|connect\\.sid|laravel_session)${MORE}`

const QUOTE = "[\"'`]"
/** Between a name and its value: `=`, `:`, `=>` or `:=`, with quotes around either, escaped ones too; the scheme of a header. */
const IS = String.raw`\\{0,8}${QUOTE}?\]?\s{0,3}(?::=|=>|={1,3}|:)\s{0,3}(?:(?:bearer|basic|token|key|apikey|bot)\s{1,3})?`
/** `{ name: API_TOKEN, value: … }`, `key="ApiToken" value="…"`. */
const VALUE_IS = String.raw`\\{0,8}${QUOTE}?,?\s{1,80}\\{0,8}${QUOTE}?value\\{0,8}${QUOTE}?\s{0,3}[:=]\s{0,3}`
/** Between a flag and its value in a command, and in a list of its arguments. */
const FLAG_IS = String.raw`\\{0,8}${QUOTE}?,?\s{1,3}`

/** So much of a value is taken. Characters. */
const LONGEST = 300
/** What a value without quotes is of; `&` begins the next field of a query. */
const BARE = `(?:[A-Za-z0-9+/_.~!@%^*$#?|:=-]|&(?!(?:amp;)?[a-z][a-z_.-]{2,40}=))`
/** In quotes anything but a space, to the quote; else what neither a shell nor code ends or calls. */
const VALUE = String.raw`(?:\\{0,8}${QUOTE}(?<quoted>[^\s"'${"`"}\\]{8,${LONGEST}})(?=\\{0,8}${QUOTE})|\\{0,8}${QUOTE}?(?![:|]|=[=>])(?<bare>${BARE}{8,${LONGEST}})(?![([]|<(?!\/)))`

/**
 * Values behind a name that says that they are secret: in settings, code, JSON, headers, addresses, XML, and behind the flags of
 * commands.
 */
export const NAMED_RULES: readonly SecretRule[] = [
  ...rulesFor("password", PASSWORD, (text) => looksMadeUp(text) || looksRandom(text)),
  ...rulesFor("credential", CREDENTIAL, looksRandom),
]

function rulesFor(kind: string, name: string, isSecret: (text: string) => boolean): SecretRule[] {
  const accepts: SecretRule["accepts"] = (value, text, start) => {
    const isCutShort = value.length < LONGEST && /[A-Za-z0-9_]/.test(text[start + value.length] ?? "")
    return !isCutShort && isSecret(value)
  }
  return [
    `${name}(?:${IS}|${VALUE_IS}|>)`,
    `--[a-z0-9-]{0,30}?${name}${FLAG_IS}`,
    String.raw`\b(?:ENV|ARG|setx?|config)\s{1,3}(?:-{1,2}\w{1,20}\s){0,3}[\w.:/@-]{0,80}?${name}\s{1,3}`,
  ].map((before) => ({ kind, hints: [], context: true, pattern: new RegExp(before + VALUE, "gi"), accepts }))
}

const PASSWORD_NAME = new RegExp(PASSWORD, "i")
const CREDENTIAL_NAME = new RegExp(CREDENTIAL, "i")

/** What a value is that stands behind a name, all of it. Undefined where it is no secret. */
export function kindByName(name: string, value: string): string | undefined {
  if (PASSWORD_NAME.test(name)) return looksMadeUp(value) || looksRandom(value) ? "password" : undefined
  return CREDENTIAL_NAME.test(name) && looksRandom(value) ? "credential" : undefined
}
