import { isDamage } from "@treelog/session-core"
import { describe, expect, test } from "vitest"
import { readText } from "./repository.js"

const page = readText("docs/ERRORS.md")
const errors = readText("packages/session-core/src/errors.ts")
const diagnostics = readText("packages/session-core/src/entry/diagnostic.ts")

/** The members of an interface, in the order of the source, with the fields of each. */
const interfaceBody = /interface TreelogErrorData \{\n(.*?)\n\}/s.exec(errors)?.[1] ?? ""
const dataByCode = [...interfaceBody.matchAll(/^ {2}(\w+): \{ (.*) \}$/gm)].map(([, code = "", fields = ""]) => ({
  code,
  fields: [...fields.matchAll(/(\w+):/g)].map(([, field = ""]) => field),
}))

const union = /type DiagnosticKind =\n(.*?)\n\n/s.exec(diagnostics)?.[1] ?? ""
const kinds = [...union.matchAll(/\| "([a-z0-9-]+)"/g)].map(([, kind = ""]) => kind)

const sections = [...page.matchAll(/^## (\w+Error)\n(.*?)(?=^## )/gms)].map(([, code = "", text = ""]) => ({
  code,
  text,
}))
const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` +\| (damage|note) +\|/gm)].map(([, kind = "", weight]) => ({
  kind,
  weight,
}))

describe("docs/ERRORS.md", () => {
  test("has a heading for each error code, in the order of errors.ts, and no other", () => {
    expect(dataByCode.length).toBeGreaterThan(10)
    expect(sections.map(({ code }) => code)).toEqual(dataByCode.map(({ code }) => code))
  })

  test.each(dataByCode)("describes when $code is thrown, its data and what to do", ({ code, fields }) => {
    const text = sections.find((section) => section.code === code)?.text ?? ""
    for (const part of ["- **When**: ", "- **Data**: ", "- **What to do**: "]) expect(text).toContain(part)
    const data = /- \*\*Data\*\*: (.*?)(?=- \*\*What)/s.exec(text)?.[1] ?? ""
    for (const field of fields) expect(data).toContain(`\`${field}\``)
  })

  test("has a row for each kind of diagnostic, in the order of diagnostic.ts, and no other", () => {
    expect(kinds.length).toBeGreaterThan(20)
    expect(rows.map(({ kind }) => kind)).toEqual(kinds)
  })

  test("separates damage from notes as isDamage does", () => {
    const listed = rows.map(({ kind, weight }) => [kind, weight])
    const known = kinds.map((kind) => [kind, isDamage({ kind: kind as never, message: "" }) ? "damage" : "note"])
    expect(listed).toEqual(known)
  })
})
