import type { SecretRule } from "../secret-rule.js"
import { looksMadeUp, looksRandom } from "./randomness.js"

/** The rest of a name after such a word: `tokenOfMain`, `password_2`. */
const MORE = "[a-z0-9_-]{0,20}"
const PASSWORD = `(?:(?:passw(?:or)?d|passphrase|passcode|pwd)${MORE}|pass)`
const CREDENTIAL = `(?:secret|token|(?:api|access|auth|private|encryption|signing|account|master|session|client|service|license|shared)[_-]?key|credentials?|webhook|authorization|client-key-data|tls\\.key|ssh-privatekey|\\.docker(?:configjson|cfg)|PHPSESSID|JSESSIONID|connect\\.sid|laravel_session)${MORE}`

const QUOTE = "[\"'`]"
/** Between a name and its value: `=`, `:`, `=>` or `:=`, with quotes around either, escaped ones too; the scheme of a header. */
const IS = String.raw`\\{0,8}${QUOTE}?\]?\s{0,3}(?::=|=>|={1,3}|[:：])\s{0,3}(?:(?:bearer|basic|token|key|apikey|bot)\s{1,3})?`
/** `{ name: API_TOKEN, value: … }`, `key="ApiToken" value="…"`. */
const VALUE_IS = String.raw`\\{0,8}${QUOTE}?(?:,\s{0,80}|\s{1,80})\\{0,8}${QUOTE}?value\\{0,8}${QUOTE}?\s{0,3}[:=]\s{0,3}`
/** Between a flag and its value in a command, and in a list of its arguments. */
const FLAG_IS = String.raw`\\{0,8}${QUOTE}?,?\s{1,3}`

/** The most characters of a value to match. */
const LONGEST = 120
const REST = /[A-Za-z0-9+/_=.~-]{0,100000}/y
/** The characters of a value without quotes; `&` starts the next field of a query. */
const BARE = `(?:[A-Za-z0-9+/_.~!@%^*$#?|:=-]|&(?!(?:amp;)?[a-z][a-z_.-]{2,40}=))`
/** In quotes anything but white space, up to the quote; otherwise the characters of an unquoted value. */
const VALUE = String.raw`(?:\\{0,8}${QUOTE}(?<quoted>[^\s"'${"`"}\\]{8,${LONGEST}})(?=\\{0,8}${QUOTE})|\\{0,8}${QUOTE}?(?![:|]|=[=>])(?<bare>${BARE}{8,${LONGEST}}))`

/**
 * Values after a name that shows that they are secret: in configuration, code, JSON, headers, URLs, XML, and after command-line
 * flags.
 */
export const NAMED_RULES: readonly SecretRule[] = [
  namedBy("password", `${PASSWORD}(?:${IS}|${VALUE_IS}|>)`, mayBePassword),
  namedBy("password", `--[a-z0-9-]{0,30}?${PASSWORD}${FLAG_IS}`, mayBePassword),
  // In SQL, in PowerShell, in a sentence.
  namedBy(
    "password",
    String.raw`(?:identified by|\bpassword|securestring(?: -string)?)\s{1,3}(?=\\{0,8}["'])`,
    mayBePassword,
    ["assword", "ASSWORD", "dentified", "DENTIFIED", "ecureString"],
  ),
  namedBy("password", `(?:passwort|kennwort|contrase[nñ]a|mot de passe|senha|wachtwoord)${IS}`, mayBePassword, [
    "asswort",
    "ennwort",
    "ontrase",
    "ot de passe",
    "enha",
    "achtwoord",
  ]),
  // Words of other scripts are no hints.
  namedBy("password", `(?:парол[ьяюе](?: [а-яё]{1,20}){0,3}|密[码碼]|パスワード|비밀번호)${IS}`, mayBePassword),
  namedBy("credential", `${CREDENTIAL}(?:${IS}|${VALUE_IS}|>)`, looksRandom),
  namedBy("credential", `--[a-z0-9-]{0,30}?${CREDENTIAL}${FLAG_IS}`, looksRandom),
  // In a Dockerfile, and in commands that set a variable.
  namedBy(
    "credential",
    String.raw`\b(?:ENV|ARG|setx?|config)\s{1,3}(?:-{1,2}\w{1,20}\s){0,3}[\w.:/@-]{0,80}?(?:${PASSWORD}|${CREDENTIAL})\s{1,3}`,
    looksRandom,
  ),
]

function namedBy(
  kind: string,
  before: string,
  isSecret: (text: string) => boolean,
  hints: readonly string[] = [],
): SecretRule {
  return { kind, hints, pattern: new RegExp(before + VALUE, "gi"), rest: REST, accepts: isSecret }
}

function mayBePassword(text: string): boolean {
  return looksMadeUp(text) || looksRandom(text)
}

const PASSWORD_NAME = new RegExp(PASSWORD, "i")
const CREDENTIAL_NAME = new RegExp(CREDENTIAL, "i")

/** The kind of secret of a whole value with this name. Undefined if it is not a secret. */
export function kindByName(name: string, value: string): string | undefined {
  if (PASSWORD_NAME.test(name)) return mayBePassword(value) ? "password" : undefined
  return CREDENTIAL_NAME.test(name) && looksRandom(value) ? "credential" : undefined
}
