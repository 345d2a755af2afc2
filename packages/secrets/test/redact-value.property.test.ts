import { type JsonPlace, redactValue } from "@treelog/secrets"
import { deepFreeze, jsonValue, tries } from "@treelog-internal/test-kit"
import { PLANTED_KINDS, plantedSecrets } from "@treelog-internal/test-kit/secrets"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const [SECRET, OTHER] = plantedSecrets(5)
  .slice(2)
  .map(({ text }) => text) as [string, string]
const MARK = "[redacted GitHub token]"

describe("redactValue", () => {
  it("redacts every string, wherever it stands, and reports where", async () => {
    const value = { a: [{ text: `x ${SECRET}` }, SECRET], "a b": { c: SECRET }, n: 1, t: true, z: null }
    const redacted = redactValue(deepFreeze(value))
    expect(redacted.value).toEqual({ a: [{ text: `x ${MARK}` }, MARK], "a b": { c: MARK }, n: 1, t: true, z: null })
    expect(redacted.findings.map(({ path }) => path)).toEqual(["a[0].text", "a[1]", '["a b"].c'])
    expect(new Set(redacted.findings.map(({ kind }) => kind))).toEqual(new Set(["GitHub token"]))
  })

  it("redacts the names of fields, keeps their order, and reveals none of them", async () => {
    const { value, findings } = redactValue({ first: 1, [SECRET]: { deep: SECRET }, [OTHER]: 2, last: 3 })
    expect(Object.keys(value)).toEqual(["first", MARK, `${MARK} 2`, "last"])
    expect(value).toEqual({ first: 1, [MARK]: { deep: MARK }, [`${MARK} 2`]: 2, last: 3 })
    expect(JSON.stringify(findings)).not.toContain(SECRET)
  })

  it("redacts a string that is all of the value", async () => {
    expect(redactValue(SECRET).value).toBe(MARK)
  })

  it("shares with the original what is the same, and is the original where nothing was found", async () => {
    const same = { list: [1, "two"] }
    expect(redactValue(same).value).toBe(same)
    const value = { same, changed: { text: SECRET } }
    const redacted = redactValue(value)
    expect(redacted.value.same).toBe(same)
    expect(value.changed.text).toBe(SECRET)
  })

  it("ends at a value that holds itself, and takes one that is there twice", () => {
    const twice = { said: SECRET }
    expect(redactValue([twice, { twice }]).value).toEqual([{ said: MARK }, { twice: { said: MARK } }])
    const inside: Record<string, unknown> = { said: SECRET }
    inside.deeper = [{ inside }]
    expect(() => redactValue({ inside })).toThrow(new TypeError("The value holds itself: it is no JSON."))
  })

  it("leaves alone what is excluded, and shows where that stands", async () => {
    const value = { blocks: [{ signature: SECRET, text: SECRET }] }
    const seen: string[] = []
    const skip = ({ key, up }: JsonPlace): boolean => {
      seen.push(`${String(up?.up?.key)}/${String(up?.key)}/${String(key)}`)
      return key === "signature"
    }
    expect(redactValue(value, { skip }).value).toEqual({ blocks: [{ signature: SECRET, text: MARK }] })
    expect(seen).toEqual(["blocks/0/signature", "blocks/0/text"])
  })

  it("knows a value by the name beside it, as in the environment of a container", async () => {
    const key = "a3f9c1d27b604e5f8a1b2c3d4e5f6071"
    const value = {
      env: [
        { name: "SERVICE_API_TOKEN", value: key },
        { name: "COMMIT", value: key },
      ],
      clientSecret: key,
    }
    expect(redactValue(value).value).toEqual({
      env: [
        { name: "SERVICE_API_TOKEN", value: "[redacted credential]" },
        { name: "COMMIT", value: key },
      ],
      clientSecret: "[redacted credential]",
    })
  })

  it("looks into JSON within a string, also where its letters are escaped", async () => {
    const escaped = JSON.stringify({ deep: [SECRET] }).replace("ghp_", "\\u0067hp_")
    const { value, findings } = redactValue({ output: escaped })
    expect(JSON.parse(value.output)).toEqual({ deep: [MARK] })
    expect(findings).toEqual([{ kind: "GitHub token", path: "output" }])
  })

  it("leaves none of any secrets in any value, and has nothing left to do afterwards", async () => {
    const secrets = plantedSecrets(PLANTED_KINDS.length * 2, 3)
    const planted = fc.tuple(jsonValue, fc.array(fc.nat(secrets.length - 1), { maxLength: 8 }))
    await fc.assert(
      fc.asyncProperty(planted, async ([value, chosen]) => {
        const texts = chosen.map((index) => secrets[index]?.text ?? "")
        const whole = {
          value,
          texts,
          named: Object.fromEntries(texts.map((text) => [text, text])),
          all: texts.join("\n"),
        }
        const { value: redacted } = redactValue(whole)
        const written = JSON.stringify(redacted)
        for (const index of chosen) expect(written).not.toContain(JSON.stringify(secrets[index]?.core).slice(1, -1))
        const again = redactValue(redacted)
        expect(again.value).toBe(redacted)
        expect(again.findings).toEqual([])
      }),
      { numRuns: tries(60) },
    )
  })
})

it("finds the secret key of AWS in the string behind that of its id", async () => {
  const argv = [`AKIA${"QWERTYUIOPASDFGH"}`, `wJalrXUtnFEMIK7MDENGbPxRfiCYz${"EXAMPLEKEab"}`]
  expect(redactValue({ argv }).value).toEqual({
    argv: ["[redacted AWS access key id]", "[redacted AWS secret key]"],
  })
})

it("leaves the arguments and blocks that follow another string", () => {
  const value = {
    argv: ["curl", "-u", "anna:", "--output", "a7f3c9e1b2d4f6a8", "-H", "Accept: text/html"],
    content: [{ text: "The commit:" }, { text: "3f2a9c81d7e64b05a1c2" }, { text: "The token: see the wiki" }],
  }
  expect(redactValue(value).value).toBe(value)
})
