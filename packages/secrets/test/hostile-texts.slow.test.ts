import { findSecrets, redactText, redactValue } from "@treelog/secrets"
import { expect, it } from "vitest"

/** Characters. A rule that goes over any of these more than once for each character does not end in a test's time. */
const LENGTH = 250_000
const TOKEN = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`

/** What makes patterns try again: beginnings without an end, ends that come late, and long runs of what may stand between. */
const REPEATED: readonly string[] = [
  "a",
  "A",
  "0",
  "f",
  " ",
  "\n",
  "\\",
  '\\"',
  '"',
  "'",
  "%",
  "%25",
  "&",
  "&#",
  "\x1b",
  "\x1b[",
  "\x1b[0;",
  "\x1b]8;;",
  "\\u001b[0;",
  "token=",
  "token",
  "secret_",
  "password: ",
  "password ",
  "--password ",
  "--a-",
  "set ",
  "ENV a",
  "config a.b:c/d@e-",
  "curl ",
  "curl -u a:",
  "mysql ",
  "mysql -p",
  "docker login -p ",
  "echo a |",
  "secret put <<<",
  "парол",
  "curl \\",
  "machine a login ",
  "machine a login b password ",
  "Cookie: a=",
  "cookie a=b;",
  "Set-Cookie: a=",
  "kind: Secret\n",
  "data:\n a: b\n",
  "kind: Secret\ndata:\n a: b\n",
  '"data": {"a": "b"}',
  '"auth": "',
  "auth=abcd",
  "Bearer ",
  "basic ",
  "https://",
  "a://b:c",
  "://",
  "eyJabcdefgh.",
  "eyJabcdefgh.eyJabcdefgh.",
  "AKIA",
  "AKIAQWERTYUIOPASDFGH ",
  "sk-",
  "sk-ant-",
  "xoxb-",
  "LS0tLS1CRUdJTi",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\nabcdefghijklmnopqrstuvwxyzabcdefghijklmnop\n",
  "M.",
  "MMMMMMMMMMMMMMMMMMMMMMMM.",
  "1234567890:",
  "name: token\nvalue: ",
  "twilio ",
  "&token=",
  "?token=a&",
  "<password>",
  "密",
  "\ud800",
]

it.each(REPEATED)("goes over %j again and again in a time that grows with it", async (piece) => {
  const run = piece.repeat(Math.ceil(LENGTH / piece.length))
  const text = `${run} ${TOKEN} ${run}`
  const found = findSecrets(text)
  expect(found.some(({ start, end }) => start <= run.length + 1 && end >= run.length + 1 + TOKEN.length)).toBe(true)
})

it.each([6_000, 200_000])("takes values of %i levels, in a value and as JSON within a string", async (levels) => {
  const json = `${'{"a":['.repeat(levels)}"${TOKEN}"${"]}".repeat(levels)}`
  expect(redactText(json).text).not.toContain(TOKEN)
  const { value } = redactValue({ arguments: { json } })
  expect(value.arguments.json).toBe(json.replace(TOKEN, "[redacted GitHub token]"))
  let deep: unknown = { password: TOKEN }
  for (let level = 0; level < levels; level++) deep = level % 2 === 0 ? [deep] : { deep }
  const redacted = redactValue({ deep, near: TOKEN })
  expect(redacted.findings).toHaveLength(2)
  expect(redacted.value.near).toBe("[redacted GitHub token]")
})
