import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"

interface JsonSchema {
  readonly anyOf?: readonly JsonSchema[]
}

const FOLDER = fileURLToPath(new URL("../../../docs/schema/v1/", import.meta.url))
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })

/** What scripts may rely on, by the name of its file in `docs/schema/v1`. */
export const schemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [file.replace(/\.json$/, ""), JSON.parse(readFileSync(FOLDER + file, "utf8"))]),
)

/** `blobs-gc` for `blobs gc`. */
export function schemaName(command: string): string {
  return command.replaceAll(" ", "-")
}

/** Each sort of document that a command prints: nothing may stand there that its schema does not name. */
export function documentsOf(command: string): ValidateFunction[] {
  const schema = schemas[schemaName(command)]
  if (!schema) throw new Error(`docs/schema/v1 has no schema for \`${command}\`.`)
  return (schema.anyOf ?? [schema]).map((sort) => {
    const { $id: _, ...strict } = JSON.parse(JSON.stringify(sort), closed)
    return ajv.compile(strict)
  })
}

/** Readers have to take fields that a schema does not name; what commands print has to be documented. */
function closed(_: string, value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null && "properties" in value && "type" in value
  return isObject && value.type === "object" ? { additionalProperties: false, ...value } : value
}
