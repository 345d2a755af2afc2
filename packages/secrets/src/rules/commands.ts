import type { SecretRule } from "../secret-rule.js"
import { isPassword } from "./randomness.js"

/** The rest of a command, over lines that end with a backslash. */
const ARGUMENTS = String.raw`\b(?:[^\n|;&\\]|\\[\s\S]){0,400}?\s`
const QUOTE = String.raw`\\{0,8}["']?`
const USER = String.raw`(?:[\w.-]{1,40}:)?`
const SECRET = "(?<secret>[^\\s\"'`\\\\|]{4,300})"

/** A word of a command, the command, and the option before its password. */
const OPTIONS: readonly (readonly [hint: string, command: string, option: string])[] = [
  ["sshpass", "sshpass", String.raw`-p\s?`],
  ["login", "(?:az|docker|helm registry|nerdctl|oras|podman|skopeo) login", String.raw`-p\s`],
  ["mysql", "mysql[a-z]{0,9}", "-p"],
  ["mariadb", "mariadb[a-z-]{0,10}", "-p"],
  ["mongo", "mongo(?:sh|dump|restore|export|import)?", String.raw`-p\s`],
  ["-cli", "(?:redis|valkey)-cli", String.raw`-a\s`],
  ["ldap", "ldap[a-z]{3,9}", String.raw`-w\s`],
  ["sqlcmd", "sqlcmd", String.raw`-P\s?`],
  ["smbclient", "smbclient", String.raw`-U\s?${QUOTE}[^\s%]{1,100}%`],
  ["lftp", "lftp", String.raw`-u\s${QUOTE}[^\s,]{1,100},`],
  ["htpasswd", "htpasswd", String.raw`-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\s\S{1,300}\s\S{1,100}\s`],
  ["freerdp", "xfreerdp3?", "/p:"],
  ["zip ", "(?:un)?zip", String.raw`-P\s`],
  ["7z", "7z[ar]? [a-z]", "-p"],
  ["openssl", "openssl enc", String.raw`-k\s`],
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
    ([hint, command, option]): SecretRule => ({
      kind: "password",
      hints: [hint],
      pattern: new RegExp(`${command}${ARGUMENTS}${option}${QUOTE}${SECRET}`, "g"),
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
