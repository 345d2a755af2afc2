import { posix } from "node:path"
import {
  contentSchema,
  entrySchema,
  entrySchemas,
  headerSchema,
  messageSchema,
  usageSchema,
} from "@treelog/session-core/schema"
import * as z from "zod/mini"

// What a session's file has, as JSON Schemas: made from the zod schemas of the core, so that the two cannot differ.

/** Where the schema of an entry of a type is, in `docs/schema/session`. */
export const schemaOfKind = (type: string) => `entries/${type}.json`

/** By the name of its file, without the ending: the schema, and what it is of. */
const parts: [name: string, schema: z.core.$ZodType, title: string][] = [
  ["header", headerSchema, "The header of a session, of any version"],
  ["entry", entrySchema, "An entry of a session"],
  ["message", messageSchema, "A message of a session"],
  ["content", contentSchema, "A block of a message's content"],
  ["usage", usageSchema, "Tokens and cost, as a provider reported them"],
  ...Object.entries(entrySchemas).map(([type, schema]): [string, z.core.$ZodType, string] => [
    `entries/${type}`,
    schema,
    `An entry of type ${type}`,
  ]),
]

type Json = z.core.JSONSchema.BaseSchema

/** Every schema by the name of its file in `docs/schema/session`. They name each other by these names. */
export function sessionSchemas(): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of parts) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io: "input", uri: (id) => `/${id}.json`, override })
  return Object.fromEntries(
    parts.map(([id, , title]) => {
      const { $schema, $id: _, id: __, ...rest } = schemas[id] as Json & { id?: string }
      const named = { $schema, title: `${title}: docs/FORMAT.md, section 2.`, ...rest } as Json
      return [`${id}.json`, relativeRefs(named, posix.dirname(`/${id}`))]
    }),
  )
}

/** What JSON Schema cannot say of itself. */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  if (zodSchema === entrySchemas.model_change) jsonSchema.anyOf = namesModel
  if (jsonSchema.anyOf && zodSchema._zod.def.type === "union")
    tellOthers(zodSchema as z.core.$ZodUnion, jsonSchema.anyOf)
}

/** As pi has it, or as xcsh and omp do: the provider is what precedes the first slash. */
const namesModel: Json[] = [
  { required: ["provider", "modelId"], properties: { provider: { type: "string" }, modelId: { type: "string" } } },
  { required: ["model"], properties: { model: { type: "string", pattern: "^[^/]+/" } } },
]

/** The last option of a choice by a field is for names that the others do not have. */
function tellOthers({ _zod }: z.core.$ZodUnion, options: Json["anyOf"] & object): void {
  const shapes = _zod.def.options.map(({ _zod }) => (_zod.def as Partial<z.core.$ZodObjectDef>).shape)
  const nameIn = (index: number, field: string) => {
    const def = shapes.at(index)?.[field]?._zod.def
    return def?.type === "literal" ? (def as z.core.$ZodLiteralDef<string>).values[0] : undefined
  }
  const field = ["type", "role"].find((name) => nameIn(0, name) !== undefined)
  const other = options.at(-1) as Json | undefined
  if (field === undefined || !other?.properties || nameIn(-1, field) !== undefined) return
  const known = shapes.slice(0, -1).map((_, index) => nameIn(index, field) as string)
  other.properties = { ...other.properties, [field]: { type: "string", not: { enum: known } } }
}

function relativeRefs<T>(node: T, folder: string): T {
  return JSON.parse(JSON.stringify(node), (key, value) => (key === "$ref" ? posix.relative(folder, value) : value)) as T
}
