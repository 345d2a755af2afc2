import { type SecretRule, tokenRule } from "../secret-rule.js"
import { isPassword, looksRandom } from "./randomness.js"

const PEM = `-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----`
const PEM_END = `-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----`
const KEY_TEXT = "[A-Za-z0-9+/]{32}"

/** The fields of a Kubernetes Secret, before or after its `kind`. */
const KUBERNETES = [
  /^kind:[ \t]{0,9}["']?Secret\b(?:(?!^---|^kind:)[\s\S]){0,3000}?^(?:data|stringData):[ \t]{0,9}\r?\n(?<secret>(?:[ \t]{1,9}[\w.-]{1,100}:[^\n]{1,20000}\n?){1,100})/gm,
  /^(?:data|stringData):[ \t]{0,9}\r?\n(?<secret>(?:[ \t]{1,9}[\w.-]{1,100}:[^\n]{1,20000}\n){1,100})(?=(?:(?!^---|^data:)[\s\S]){0,3000}?^kind:[ \t]{0,9}["']?Secret\b)/gm,
  /"(?:data|stringData)":\s{0,9}\{(?<secret>[^{}]{4,20000})\}(?=(?:(?!"data":)[\s\S]){0,3000}?"kind":\s{0,9}"Secret")/g,
]

/** Secrets that are recognized by their format, of any service. */
export const FORM_RULES: readonly SecretRule[] = [
  // Up to its end, with anything between the lines: line numbers, quotes, escapes.
  {
    kind: "private key",
    hints: ["PRIVATE KEY"],
    pattern: new RegExp(`${PEM}(?=[\\s\\S]{0,400}?${KEY_TEXT})(?:(?!-----BEGIN)[\\s\\S]){40,20000}?${PEM_END}`, "g"),
    accepts: isMostlyKey,
  },
  // The rest of a truncated one.
  {
    kind: "private key",
    hints: ["PRIVATE KEY"],
    pattern: new RegExp(
      `${PEM}(?=[^-]{0,200}?${KEY_TEXT})(?:[^A-Za-z0-9+/-]{0,20}(?:\\d{1,6}[^A-Za-z0-9+/-]{1,4})?[A-Za-z0-9+/=:]{16,}){1,400}`,
      "g",
    ),
  },
  tokenRule("age key", ["AGE-SECRET-KEY-1"], "AGE-SECRET-KEY-1[A-Z0-9]{58}"),
  tokenRule(
    "JSON web token",
    ["eyJ"],
    String.raw`eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{16,2000}`,
  ),
  // An encrypted one has five parts, the second of which may be empty.
  tokenRule(
    "JSON web token",
    ["eyJ"],
    String.raw`eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{0,2000}\.[A-Za-z0-9_-]{8,200}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{16,200}`,
  ),
  // The password of a URL of any scheme, and the name before it: databases, queues, mail, git remotes, registries.
  {
    kind: "password in a URL",
    hints: ["://"],
    pattern: /(?<=[A-Za-z]):\/{2,4}(?<secret>[^\s:@/"'`<>]{0,200}:[^\s@/"'`<>\\]{4,300})(?=@[A-Za-z0-9[_])/y,
    accepts: (pair) => isPassword(pair.slice(pair.indexOf(":") + 1)),
  },
  {
    kind: "bearer token",
    hints: ["earer", "EARER"],
    pattern: /bearer\s{1,4}(?<secret>[A-Za-z0-9._~+/-]{12,4000}={0,2})/gi,
    accepts: looksRandom,
  },
  // In `.netrc`.
  {
    kind: "password",
    hints: ["password"],
    pattern:
      /(?:machine\s{1,9}[^\s"']{1,200}|\bdefault)\s{1,9}login\s{1,9}[^\s"']{1,200}\s{1,9}(?:account\s{1,9}[^\s"']{1,200}\s{1,9})?password\s{1,9}(?<secret>[!#-&(-[\]-_a-~]{4,300})/g,
    accepts: isPassword,
  },
  {
    kind: "cookie",
    hints: ["ookie", "OOKIE"],
    pattern:
      /(?<!set-)cookies?\\{0,8}["']?\s{0,3}[:=\s]\s{0,3}\\{0,8}["']?(?<secret>[\w.%-]{1,100}=[^\r\n"'`\\]{8,8000})/gi,
    each: /=(?<secret>[^\s;=][^\s;]{7,})/g,
    accepts: (cookies) => cookies.split(/[;\s]+/).some((cookie) => looksRandom(cookie.slice(cookie.indexOf("=") + 1))),
  },
  {
    kind: "cookie",
    hints: ["ookie", "OOKIE"],
    pattern: /set-cookie\\{0,8}["']?\s{0,3}[:=,]\s{0,3}\[?\\{0,8}["']?[\w.%-]{1,100}=(?<secret>[^\s;"'`\\]{8,4000})/gi,
    accepts: looksRandom,
  },
  // Of registries, in Docker's configuration.
  {
    kind: "basic credentials",
    hints: ["auth"],
    pattern:
      /\bauth\\{0,8}["']?\s{0,3}[:=]\s{0,3}\\{0,8}["']?(?<secret>[A-Za-z0-9+/]{8,2000}={0,2})(?![A-Za-z0-9+/=])/g,
    accepts: isBase64Pair,
  },
  // A private key in base64, under any name.
  {
    ...tokenRule("private key", ["LS0tLS1CRUdJTi"], "LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,80}", (text) =>
      atob(text.slice(0, 52)).includes("PRIVATE KEY"),
    ),
    rest: /[A-Za-z0-9+/]{0,100000}={0,2}/y,
  },
  ...KUBERNETES.map(
    (pattern): SecretRule => ({
      kind: "Kubernetes secret",
      hints: ["Secret"],
      pattern,
      each: /:[ \t]{0,9}["']?(?<secret>[^\s"'#|>][^\s"']{3,})/g,
    }),
  ),
  // `user:password` in base64.
  {
    kind: "basic credentials",
    hints: ["asic", "ASIC"],
    pattern: /basic\s{1,4}(?<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])/gi,
    accepts: isBase64Pair,
  },
]

/** Whether the text between the markers is a key, and not code that searches for one. */
function isMostlyKey(pem: string): boolean {
  const body = pem.replace(/-----[A-Z0-9 ]+-----/g, "").replace(/\s/g, "")
  const key = (body.match(/[A-Za-z0-9+/=]{16,}/g) ?? []).join("")
  return key.length > body.length * 0.6
}

function isBase64Pair(text: string): boolean {
  const digits = text.replace(/=+$/, "")
  const pair = digits.length % 4 === 1 ? "" : atob(digits)
  return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{3,}$/.test(pair) && isPassword(pair.slice(pair.indexOf(":") + 1))
}
