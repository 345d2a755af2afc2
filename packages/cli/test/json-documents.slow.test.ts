import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { describe, expect, test } from "vitest"
import type * as z from "zod/mini"
import { runnableCommands } from "./command-table.js"
import { documents, error } from "./documents/documents.js"
import { publishedSchemas, schemaName, strictSchema } from "./documents/json-schema.js"
import { NEEDS_DATABASE, NEEDS_TERMINAL, type Scene, scenes } from "./documents/scenes.js"
import { sampleEntries } from "./sample.js"
import { type Ran, sandbox } from "./sandbox.js"

// What scripts may rely on: every document of every command is as `docs/schema` says, and says no more than that.

const SCHEMAS = fileURLToPath(new URL("../../../docs/schema/v1/", import.meta.url))
/** What `mcp` prints is a protocol of its own. */
const commands = runnableCommands().filter((name) => name !== "mcp")
const schemas = publishedSchemas()
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })

/** Asks both the schema that we publish and the one that allows nothing else. */
function expectDocument(schema: z.core.$ZodType, published: ValidateFunction, value: unknown): void {
  for (const validate of [published, strictly(schema)]) {
    validate(value)
    expect({ value, errors: validate.errors }).toEqual({ value, errors: null })
  }
}

const strict = new Map<z.core.$ZodType, ValidateFunction>()
function strictly(schema: z.core.$ZodType): ValidateFunction {
  const known = strict.get(schema) ?? ajv.compile(strictSchema(schema))
  strict.set(schema, known)
  return known
}

function publishedAs(name: string): ValidateFunction {
  const { $id } = schemas[schemaName(name)] as { $id: string }
  return ajv.getSchema($id) ?? ajv.compile(schemas[schemaName(name)] ?? {})
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
      const schema = documents[name]
      if (!schema) throw new Error(`\`${name}\` has no schema: give it one in test/documents/documents.ts`)
      const tried = scenes[name]
      if (!tried) throw new Error(`\`${name}\` is never tried: give it a scene in test/documents/scenes.ts`)
      if (tried === NEEDS_TERMINAL || tried === NEEDS_DATABASE) {
        const { code, stderr } = await ran(name, { argv: [] })
        expect(code).toBe(2)
        expectDocument(error, publishedAs("error"), JSON.parse(stderr))
        return
      }
      const seen: unknown[] = []
      for (const scene of tried) {
        const { code, json, stderr } = await ran(name, scene)
        expect({ ...scene, code, stderr }).toEqual({ ...scene, code: scene.code ?? 0, stderr: "" })
        for (const value of json) expectDocument(schema, publishedAs(name), value)
        seen.push(...json)
      }
      const unseen = optionsOf(schema).filter((option) => !seen.some((value) => strictly(option)(value)))
      expect(unseen.map((option) => strictSchema(option))).toEqual([])
    },
  )

  test.each(commands)("`treelog %s` reports an error as JSON, with its code", async (name) => {
    const { code, stdout, stderr } = await sandbox().run([...name.split(" "), "--no-such-option", "--json"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    const described: unknown = JSON.parse(stderr)
    expectDocument(error, publishedAs("error"), described)
    expect(described).toMatchObject({ error: { code: "UsageError" } })
  })
})

/** Of what is one of several. */
function optionsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { def } = schema._zod
  return def.type === "union" ? (def as z.core.$ZodUnionDef).options : [schema]
}

describe("docs/schema/v1", () => {
  test.each(Object.keys(schemas))("%s.json is made of what the tests ask, and is up to date", async (name) => {
    await expect(`${JSON.stringify(schemas[name], null, 2)}\n`).toMatchFileSnapshot(`${SCHEMAS}${name}.json`)
  })

  test("has no other file.", () => {
    expect(readdirSync(SCHEMAS).sort()).toEqual(
      Object.keys(schemas)
        .map((name) => `${name}.json`)
        .sort(),
    )
  })
})
