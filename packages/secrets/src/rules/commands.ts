import type { SecretRule } from "../secret-rule.js"
import { isPassword } from "./randomness.js"

/** The rest of the name of a command, and its arguments, over lines that end with a backslash. */
const ARGUMENTS = String.raw`[a-z\d-]{0,10}\b(?:[^\n|;&\\]|\\[\s\S]){0,400}?\s`
const QUOTE = String.raw`\\{0,8}["']?`
const USER = String.raw`(?:[\w.-]{1,40}:)?`
const SECRET = "(?<secret>[^\\s\"'`\\\\|]{4,300})"

/** Beginnings of commands, and the option before the password. */
const OPTIONS: readonly (readonly [commands: readonly string[], option: string])[] = [
  [["sshpass"], String.raw`-p\s?`],
  [["az login", "docker login", "helm registry login", "nerdctl login", "oras login"], String.raw`-p\s`],
  [["podman login", "skopeo login", "mongo"], String.raw`-p\s`],
  [["mysql", "mariadb", "7z ", "7za "], "-p"],
  [["redis-cli", "valkey-cli"], String.raw`-a\s`],
  [["ldap"], String.raw`-w\s`],
  [["sqlcmd"], String.raw`-P\s?`],
  [["smbclient"], String.raw`-U\s?${QUOTE}[^\s%]{1,100}%`],
  [["lftp"], String.raw`-u\s${QUOTE}[^\s,]{1,100},`],
  [["htpasswd"], String.raw`-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\s\S{1,300}\s\S{1,100}\s`],
  [["xfreerdp"], "/p:"],
  [["zip"], String.raw`-P\s`],
  [["openssl enc"], String.raw`-k\s`],
]

/** Passwords on the command lines of programs whose options do not say that they are some. */
export const COMMAND_RULES: readonly SecretRule[] = [
  // On the command line of curl.
  {
    kind: "password",
    hints: ["curl"],
    pattern:
      /curl\b(?:(?!curl\b)[^\n\\]|\\(?!curl\b)[\s\S]){0,4000}?\s(?:-[a-zA-Z]{0,6}[uU]|--user|--proxy-user)[\s=]{0,3}\\{0,8}["']?[^\s:"'\\/]{1,100}:(?<secret>[^\s"'`\\]{4,300})/g,
    accepts: isPassword,
  },
  ...OPTIONS.map(
    ([hints, option]): SecretRule => ({
      kind: "password",
      hints,
      pattern: new RegExp(`(?:${hints.join("|")})${ARGUMENTS}${option}${QUOTE}${SECRET}`, "y"),
      accepts: (text) => isPassword(text) && !/^\d{1,5}$/.test(text),
    }),
  ),
  // Given to a command on its standard input.
  {
    kind: "password",
    hints: ["-stdin", "-with-token", "chpasswd", "secret ", "sudo -S"],
    pattern: new RegExp(
      String.raw`\b(?:echo|printf)\s{1,3}(?:-[neE]{1,3}\s{1,3})?(?:["']?%s\s{0,8}["']?\s{1,3})?${QUOTE}${USER}${SECRET}${QUOTE}\s{0,3}\|\s{0,3}(?:sudo\s)?(?:-S|chpasswd|[^\n|;&]{0,200}(?:--password-stdin|--with-token|secret (?:put|set)))`,
      "g",
    ),
    accepts: isPassword,
  },
  {
    kind: "password",
    hints: ["<<<"],
    pattern: new RegExp(
      String.raw`(?:--password-stdin|--with-token|chpasswd|secret (?:put|set)[^\n|;&<]{0,100}?)\s{0,3}<<<\s{0,3}${QUOTE}${USER}${SECRET}`,
      "g",
    ),
    accepts: isPassword,
  },
]
