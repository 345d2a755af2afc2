import { readdirSync } from "node:fs"
import { join } from "node:path"
import { checkEntry, entrySchemas, messageSchemas } from "@treelog/session-core/schema"
import { entryList } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ENTRIES, HEADERS } from "../../../packages/session-core/test/schema/samples.js"
import { ROOT, readText } from "./repository.js"
import { schemaOfKind, sessionSchemas } from "./session-schemas.js"
import { validator } from "./session-validators.js"

const FOLDER = "docs/schema/session"
const schemas = sessionSchemas()
const format = readText("docs/FORMAT.md")

describe(FOLDER, () => {
  // `npx vitest run docs-session-schemas -u` updates them.
  test.each(Object.keys(schemas))("%s is made from the schemas of the core, and is up to date", async (name) => {
    const text = `${JSON.stringify(schemas[name], null, 2)}\n`
    await expect(text).toMatchFileSnapshot(join(ROOT, FOLDER, name))
  })

  test("has no other file", () => {
    const files = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: "utf8" })
    const names = files.map((path) => path.replaceAll("\\", "/")).filter((path) => path.endsWith(".json"))
    expect(names.sort()).toEqual(Object.keys(schemas).sort())
  })

  test("has one for each kind of entry, and FORMAT.md links each", () => {
    const kinds = Object.keys(entrySchemas)
    expect(kinds.filter((kind) => schemas[schemaOfKind(kind)] === undefined)).toEqual([])
    expect(kinds.filter((kind) => !format.includes(`[\`${kind}\`](schema/session/${schemaOfKind(kind)})`))).toEqual([])
  })

  test.each(ENTRIES)("takes an entry as it is written: %s", (_form, json) => {
    const value = JSON.parse(json)
    const validate = validator("entry.json")
    validate(value)
    expect(validate.errors).toBeNull()
    if (schemas[schemaOfKind(value.type)]) expect(validator(schemaOfKind(value.type))(value)).toBe(true)
  })

  test.each(HEADERS)("takes a header as it is written: %s", (_form, json) => {
    expect(validator("header.json")(JSON.parse(json))).toBe(true)
  })

  test("agrees with checkEntry on any entry", () => {
    const entries = fc.tuple(entryList, fc.nat(), fc.constantFrom(...ENTRIES.map(([, json]) => json)), fc.jsonValue())
    fc.assert(
      fc.property(entries, ([list, at, json, value]) => {
        const sample = JSON.parse(json)
        // A sound entry, with another value in one of its fields, and without that field.
        const key = Object.keys(sample)[at % Object.keys(sample).length] ?? ""
        const { [key]: _, ...without } = sample
        for (const entry of [...list, { ...sample, [key]: value }, without])
          expect({ entry, isValid: validator("entry.json")(entry) }).toEqual({ entry, isValid: checkEntry(entry).ok })
      }),
    )
  })
})

/** The rows of a table of FORMAT.md by their names: the fields that the second column has, with `?` where they are optional. */
function fieldsIn(heading: string): Map<string, string[]> {
  const table = format.slice(format.indexOf(heading)).split("\n\n")[1] ?? ""
  const rows = [...table.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)]
  return new Map(
    rows.flatMap(([, names = "", fields = ""]) => {
      const named = [...fields.matchAll(/`(\w+\??)`/g)].map(([, field = ""]) => field)
      return [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]): [string, string[]] => [name, named])
    }),
  )
}

describe("the tables of docs/FORMAT.md", () => {
  const section = format.slice(format.indexOf("### Entries"), format.indexOf("**Nothing is lost.**"))

  /** What the row of a kind says of its fields, and the paragraph below the table where there is one. */
  function saidOf(kind: string): string {
    const [, row = ""] = new RegExp(`^\\|[^|]*\\[\`${kind}\`\\][^|]*\\|([^|]+)\\|`, "m").exec(section) ?? []
    const [, below = ""] = new RegExp(`\\ba[n]? \`${kind}\` may (?:also )?have (.*?)[.;]\\s`, "is").exec(section) ?? []
    return row + below.replace(/(?<=\w)`/g, "?`")
  }

  // What may be absent of a model change depends on who wrote it.
  test.each(Object.keys(entrySchemas).filter((kind) => kind !== "model_change"))(
    "name the fields of %s, and which may be absent",
    (kind) => {
      const { properties = {}, required = [] } = schemas[schemaOfKind(kind)] ?? {}
      const { type, id, parentId, timestamp, ...own } = properties
      expect([type, id, parentId, timestamp]).not.toContain(undefined)
      const names = Object.keys(own).map((name) => (required.includes(name) ? `\`${name}\`` : `\`${name}?\``))
      expect(names.filter((name) => !saidOf(kind).includes(name))).toEqual([])
    },
  )

  test("name the fields of the header, and which may be absent", () => {
    const { properties = {}, required = [] } = schemas["header.json"] ?? {}
    const rows = format.slice(format.indexOf("### The header"), format.indexOf("### Entries"))
    for (const name of Object.keys(properties)) {
      const [, said = ""] = new RegExp(`^\\|[^|]*\`${name}\`[^|]*\\| (.*?) *\\|$`, "m").exec(rows) ?? []
      expect({ name, optional: /absent|optional/.test(said) }).toEqual({ name, optional: !required.includes(name) })
    }
  })

  test("name every role of a message, and the fields of those that are known", () => {
    const rows = fieldsIn("### Messages and content")
    const known = Object.entries(messageSchemas)
    expect(known.map(([role]) => role).filter((role) => !rows.has(role))).toEqual([])
    for (const [role, schema] of known) {
      const fields = Object.keys(schema.shape).filter((name) => name !== "role" && name !== "timestamp")
      const below = new RegExp(`^A \`${role}\` may also have (.*)$`, "m").exec(format)?.[1] ?? ""
      const said = rows.get(role)?.map((name) => name.replace("?", "")) ?? []
      expect(fields.filter((name) => !said.includes(name) && !below.includes(`\`${name}\``))).toEqual([])
    }
  })
})
