import type { ValidateFunction } from "ajv/dist/2020.js"
import { describe, expect, test } from "vitest"
import { runnableCommands } from "./command-table.js"
import { NEEDS_DATABASE, NEEDS_TERMINAL, type Scene, scenes } from "./json-scenes.js"
import { documentsOf, schemaName, schemas } from "./published-schemas.js"
import { sampleEntries } from "./sample.js"
import { type Ran, sandbox } from "./sandbox.js"

// What scripts may rely on: every document of every command is as `docs/schema` says, and says no more than that.

/** What `mcp` prints is a protocol of its own. */
const commands = runnableCommands().filter((name) => name !== "mcp")
const error = documentsOf("error")

function expectDocument(sorts: readonly ValidateFunction[], value: unknown): void {
  const errors = sorts.some((validate) => validate(value)) ? [] : sorts.map((validate) => validate.errors)
  expect({ value, errors }).toEqual({ value, errors: [] })
}

async function ran(name: string, { argv, given, world }: Scene): Promise<Ran> {
  const box = sandbox()
  if (given) await given(box)
  else box.store(sampleEntries())
  return box.run([...name.split(" "), "--json", ...argv], world)
}

describe("with --json", () => {
  test.each(commands)(
    "`treelog %s` prints what its schema says, and each sort of document that it names",
    async (name) => {
      const sorts = documentsOf(name)
      const tried = scenes[name]
      if (!tried) throw new Error(`\`${name}\` is never tried: give it a scene in test/json-scenes.ts`)
      if (tried === NEEDS_TERMINAL || tried === NEEDS_DATABASE) {
        const { code, stderr } = await ran(name, { argv: [] })
        expect(code).toBe(2)
        expectDocument(error, JSON.parse(stderr))
        return
      }
      const seen: unknown[] = []
      for (const scene of tried) {
        const { code, json, stderr } = await ran(name, scene)
        expect({ ...scene, code, stderr }).toEqual({ ...scene, code: scene.code ?? 0, stderr: "" })
        for (const value of json) expectDocument(sorts, value)
        seen.push(...json)
      }
      const unseen = sorts.filter((validate) => !seen.some((value) => validate(value)))
      expect(unseen.map(({ schema }) => schema)).toEqual([])
    },
  )

  test.each(commands)("`treelog %s` reports an error as JSON, with its code", async (name) => {
    const { code, stdout, stderr } = await sandbox().run([...name.split(" "), "--no-such-option", "--json"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    const described: unknown = JSON.parse(stderr)
    expectDocument(error, described)
    expect(described).toMatchObject({ error: { code: "UsageError" } })
  })

  test("docs/schema/v1 has a schema for each command, for errors and for warnings, and no other file.", () => {
    expect(Object.keys(schemas).sort()).toEqual([...commands.map(schemaName), "error", "warning"].sort())
  })
})
