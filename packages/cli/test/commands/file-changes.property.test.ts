import { stripVTControlCharacters } from "node:util"
import { assistantMessage, chain, messageEntry, toolResultMessage, tries, userEntry } from "@treelog-internal/test-kit"
import { FileChanges, messageLines } from "@treelog-internal/text"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { styleFor } from "../door.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const ESCAPE = String.fromCharCode(0x1b)
const GREEN = `${ESCAPE}[32m`
const RED = `${ESCAPE}[31m`

const DEEP = `${'{"deep":'.repeat(6_000)}1${"}".repeat(6_000)}`

/** A session in which a model calls a tool, and the tool answers. */
function called(name: string, given: object, result: object = {}): Sandbox {
  const box = sandbox()
  const content = [{ type: "toolCall", id: "c1", name, arguments: given }]
  const answer = { ...toolResultMessage("Done.", { toolCallId: "c1", toolName: name }), ...result }
  const entries = chain(
    userEntry("u", null),
    messageEntry("a", null, { ...assistantMessage(""), content } as never),
    messageEntry("r", null, answer),
  )
  // Nothing writes JSON of any depth, so the deep value comes in as text.
  box.store(entries.map((entry) => JSON.stringify(entry).replaceAll('"DEEP"', DEEP)))
  return box
}

const EDIT = { path: "src/app.ts", oldText: "const a = 1\nconst b = 2", newText: "const a = 1\nconst b = 3" }

describe("An edit", () => {
  test("is shown as a diff, in colours on a terminal", async () => {
    const box = called("edit", EDIT)
    expect(await box.print("show")).toContain(
      '  → edit(path="src/app.ts")\n     const a = 1\n    -const b = 2\n    +const b = 3\n',
    )
    const { stdout } = await box.run(["show"], { isTTY: true })
    expect(stdout).toContain(`${RED}    -const b = 2`)
    expect(stdout).toContain(`${GREEN}    +const b = 3`)
  })

  test("keeps its colour where a line is broken to fit", async () => {
    const { stdout } = await called("edit", { path: "a", oldText: "", newText: "word ".repeat(30) }).run(["show"], {
      isTTY: true,
      columns: 40,
    })
    const lines = stdout.split("\n").filter((line) => line.includes("word"))
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(line.startsWith(GREEN)).toBe(true)
  })

  test("is cut like any output, and whole with --full", async () => {
    const newText = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n")
    const box = called("edit", { path: "a", edits: [{ oldText: "", newText }] })
    expect(await box.print("show")).toContain("    +line 9\n    … 20 more lines (--full)\n")
    expect(await box.print("show", "--full")).toContain("    +line 29\n")
  })

  test("is a diff in Markdown, in a fence that is longer than any within", async () => {
    const box = called("edit", { ...EDIT, newText: "```\n</details>\n````" })
    expect(await box.print("export")).toContain(
      [
        "<details open>",
        '<summary>edit(path="src/app.ts")</summary>',
        "",
        "`````diff",
        "-const a = 1",
        "-const b = 2",
        "+```",
        "+</details>",
        "+````",
        "`````",
        "",
        "</details>",
      ].join("\n"),
    )
  })

  test("that only its result reports of is shown there, and no other one twice", async () => {
    const details = { diff: " 11 one\n-12 two\n+12 2" }
    const hashline = called("edit", { input: "[src/app.ts#1A2B]\nPUT 12..12:\n2" }, { details })
    expect(await hashline.print("show")).toContain("  Done.\n     11 one\n    -12 two\n    +12 2")
    expect(await hashline.print("export")).toContain("```diff\n 11 one\n-12 two\n+12 2\n```")
    expect(await called("edit", EDIT, { details }).print("show", "--full")).not.toContain("-12 two")
    expect(await called("edit", EDIT, { details }).print("export")).not.toContain("-12 two")
  })

  test("is what the model wrote where what the model gets is asked for", async () => {
    const box = called("edit", EDIT, { details: { diff: "-12 two\n+12 2" } })
    const context = await box.print("context")
    expect(context).toContain('oldText="const a = 1\\nconst b = 2"')
    expect(context).not.toContain("-12 two")
  })

  test("shows all arguments that are no part of the diff", async () => {
    const box = called("edit", { ...EDIT, replace_all: true, reason: "x".repeat(200) })
    expect(await box.print("show")).toContain(`edit(path="src/app.ts", replace_all=true, reason="${"x".repeat(200)}")`)
    expect(await box.print("export")).toContain(`"reason": "${"x".repeat(200)}"`)
  })
})

describe("A written file", () => {
  test("is shown as it is written, and in Markdown in the language of its name", async () => {
    const box = called("write", { path: "src/Field.tsx", content: "export const field = (\n\t<input />\n)\n" })
    expect(await box.print("show")).toContain(
      '  → write(path="src/Field.tsx")\n    export const field = (\n        <input />\n    )\n',
    )
    expect(await box.print("export")).toContain(
      '<summary>write(path="src/Field.tsx")</summary>\n\n```tsx\nexport const field = (\n\t<input />\n)\n```\n',
    )
  })

  test("of a name that could end a fence has no language", async () => {
    const box = called("write", { path: "a.`js\n```", content: "x" })
    expect(await box.print("export")).toContain("\n```\nx\n```\n")
  })
})

describe("Changes of the wild", () => {
  const style = styleFor({ isTTY: true, columns: 80 }, { LANG: "C.UTF-8" }, {})
  const hostile = fc
    .array(
      fc.constantFrom(
        "a",
        "`",
        "~",
        "\n",
        "\r",
        "\t",
        "+",
        "-",
        " ",
        "@@",
        ESCAPE,
        `${ESCAPE}]0;`,
        "\u0007",
        "\u202e",
        "\u2028",
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(""))
  const given = fc.oneof(
    fc.record({ path: hostile, oldText: hostile, newText: hostile }),
    fc.record({ path: hostile, content: hostile }),
    fc.record({
      path: hostile,
      edits: fc.array(fc.record({ old_text: hostile, new_text: hostile }), { minLength: 1 }),
    }),
  )
  const call = given.map((toolArguments) => ({
    role: "assistant",
    content: [{ type: "toolCall", id: "c", name: "edit", arguments: toolArguments }],
  }))

  test("steer no terminal, and every line of a diff has a sign", () => {
    fc.assert(
      fc.property(call, fc.boolean(), (message, full) => {
        const lines = messageLines(message, { style, full, changes: new FileChanges() })
        expect(stripVTControlCharacters(lines.join("\n"))).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
      }),
      { numRuns: tries(100) },
    )
    const odd = { oldText: "", newText: "a\rb\r\n-c" }
    const message = { role: "assistant", content: [{ type: "toolCall", id: "c", name: "edit", arguments: odd }] }
    const shown = messageLines(message, { style, full: true, changes: new FileChanges() })
    expect(shown.map(stripVTControlCharacters).slice(1)).toEqual(["    +a\\rb", "    +-c"])
  })

  test("of any depth beside what is shown are no fault", async () => {
    const box = called(
      "edit",
      { path: "a", edits: [{ oldText: "one", newText: "two", deep: "DEEP" }] },
      { details: { deep: "DEEP" } },
    )
    for (const argv of [["show"], ["show", "--full"], ["export"], ["export", "--format", "text"]])
      expect(await box.print(...argv)).toContain("-one\n")
  })
})
