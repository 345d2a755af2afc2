import { redactText, redactValue } from "@treelog/secrets"
import { tries } from "@treelog-internal/test-kit"
import { Random } from "@treelog-internal/test-kit/secrets"
import { expect, it } from "vitest"

const SMALL = "abcdefghijklmnopqrstuvwxyz"
const LETTERS = SMALL + SMALL.toUpperCase()
const DIGITS = "0123456789"

const ALPHABETS: Readonly<Record<string, string>> = {
  hex: `${DIGITS}abcdef`,
  "capital hex": `${DIGITS}ABCDEF`,
  "small letters": SMALL,
  "capital letters": SMALL.toUpperCase(),
  letters: LETTERS,
  "small letters and digits": SMALL + DIGITS,
  "letters and digits": LETTERS + DIGITS,
  base64: `${LETTERS}${DIGITS}+/`,
  base64url: `${LETTERS}${DIGITS}_-`,
  signs: `${LETTERS}${DIGITS}!@#$%^&*_-+=.~?`,
}
const LENGTHS = [12, 13, 16, 20, 24, 32, 40, 64]
const EACH = tries(4)

/** How somebody gives a secret to a program, and as what it is found there. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  "a bearer token": (s) => `curl -H "Authorization: Bearer ${s}" https://api.example.com`,
  "a header with another scheme": (s) => `Authorization: Token ${s}`,
  "a header of its own": (s) => `X-Api-Key: ${s}\r\nAccept: */*`,
  "a variable": (s) => `API_TOKEN=${s}\n`,
  "an exported variable": (s) => `export GITHUB_TOKEN=${s} && make`,
  "a quoted variable": (s) => `DB_PASSWORD='${s}'`,
  "a variable before a command": (s) => `PGPASSWORD=${s} psql -h db`,
  "a short name": (s) => `DB_PASS=${s}`,
  "a line of a Dockerfile": (s) => `ENV SECRET_KEY ${s}`,
  "a flag": (s) => `login --password=${s} --user me`,
  "a flag and a space": (s) => `login --password ${s}`,
  "a flag with quotes": (s) => `deploy --client-secret "${s}" --wait`,
  "a list of arguments": (s) => `["login", "--token", "${s}"]`,
  JSON: (s) => JSON.stringify({ user: "me", password: s, port: 1 }),
  "JSON within JSON": (s) => JSON.stringify({ body: JSON.stringify({ client_secret: s }) }),
  "JSON with spaces": (s) => JSON.stringify({ a: { clientSecret: s } }, null, 2),
  YAML: (s) => `db:\n  password: ${s}\n  port: 1\n`,
  "quoted YAML": (s) => `secret_key: '${s}'`,
  TOML: (s) => `api_key = "${s}"\n`,
  "the environment of a container": (s) => `- name: API_TOKEN\n  value: ${s}\n`,
  "the environment of a container as JSON": (s) => `env: ${JSON.stringify([{ name: "API_TOKEN", value: s }])}`,
  "a sentence in German": (s) => `Das Passwort: ${s}`,
  "a sentence in Russian": (s) => `пароль от стейджа: ${s}`,
  "a sentence in Chinese": (s) => `密码：${s}`,
  SQL: (s) => `ALTER USER shop IDENTIFIED BY '${s}';`,
  XML: (s) => `<server><password>${xml(s)}</password></server>`,
  "an attribute": (s) => `<add key="ApiToken" value="${xml(s)}" />`,
  "a query": (s) => `https://example.com/?a=1&access_token=${encodeURIComponent(s)}&b=2`,
  "an encoded query": (s) => `next=${encodeURIComponent(`/x?access_token=${encodeURIComponent(s)}`)}`,
  code: (s) => `const client = connect({ password: "${s}", retries: 3 })`,
  "code that assigns": (s) => `config["SECRET_KEY"] = "${s}"`,
  "code that compares": (s) => `if (token === '${s}') allow()`,
  "a sentence": (s) => `The password: ${s}`,
  colours: (s) => `\x1b[33mAPI_TOKEN\x1b[0m=\x1b[32m${s}\x1b[0m\n`,
  "colours in JSON": (s) => JSON.stringify({ out: `\x1b[1mpassword\x1b[22m: \x1b[32m${s}\x1b[0m` }),
}

const xml = (text: string): string => text.replaceAll("&", "&amp;")

/** Whether so much of a secret is left that it helps to guess it. */
function remains(text: string, secret: string): boolean {
  for (let at = 0; at + 6 <= secret.length; at++) if (text.includes(secret.slice(at, at + 6))) return true
  return false
}

interface Sample {
  readonly form: string
  readonly alphabet: string
  readonly length: number
  readonly secret: string
}

function samples(forms: readonly string[], seed: number): Sample[] {
  const random = new Random(seed)
  return forms.flatMap((form) =>
    Object.entries(ALPHABETS).flatMap(([alphabet, characters]) =>
      LENGTHS.flatMap((length) =>
        Array.from({ length: EACH }, () => {
          const secret = Array.from({ length }, () => characters[random.below(characters.length)]).join("")
          return { form, alphabet, length, secret }
        }),
      ),
    ),
  )
}

/** What more than 1 in 100 was missed of, by form, by alphabet and by length. */
function tooOften(all: readonly Sample[], missed: readonly Sample[]): Record<string, string> {
  const bad: Record<string, string> = {}
  for (const field of ["form", "alphabet", "length"] as const)
    for (const value of new Set(all.map((sample) => sample[field]))) {
      const ofThem = missed.filter((sample) => sample[field] === value)
      const share = ofThem.length / all.filter((sample) => sample[field] === value).length
      if (share > 0.01)
        bad[String(value)] = `${(share * 100).toFixed(1)} %: ${ofThem
          .slice(0, 6)
          .map(({ form, secret }) => `${form}: ${secret}`)
          .join(" ")}`
    }
  return bad
}

it("misses at most 1 in 100 random secrets behind a name that says so, from 12 characters on", async () => {
  const all = samples(Object.keys(FORMS), 20261122)
  const redacted = all.map(({ form, secret }) => redactText(FORMS[form]?.(secret) ?? ""))
  const missed = all.filter(({ secret }, index) => remains(redacted[index]?.text ?? "", secret))
  expect(tooOften(all, missed)).toEqual({})
  expect(missed.length).toBeLessThan(all.length * 0.01)
})

const FIELDS: Readonly<Record<string, (secret: string) => unknown>> = {
  password: (s) => ({ password: s }),
  apiKey: (s) => ({ config: { apiKey: s } }),
  "name and value": (s) => ({ env: [{ name: "SERVICE_TOKEN", value: s }] }),
  arguments: (s) => ({ argv: ["login", "--client-secret", s] }),
  "user of curl": (s) => ({ argv: ["curl", "-s", "-u", `anna:${s}`, "https://example.com"] }),
  "string before": (s) => ({ lines: ["export", "SERVICE_TOKEN=", s] }),
  "block before": (s) => ({
    content: [
      { type: "text", text: "The token:" },
      { type: "text", text: s },
    ],
  }),
}

it("misses at most 1 in 100 in the fields of a value", async () => {
  const all = samples(Object.keys(FIELDS), 7)
  const redacted = all.map(({ form, secret }) => redactValue(FIELDS[form]?.(secret)))
  const missed = all.filter(({ secret }, index) => remains(JSON.stringify(redacted[index]?.value), secret))
  expect(tooOften(all, missed)).toEqual({})
})
