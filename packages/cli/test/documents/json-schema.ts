import { entrySchema, headerSchema, messageSchema } from "@treelog/session-core/schema"
import * as z from "zod/mini"
import { documents, error, warning } from "./documents.js"
import { words } from "./parts.js"

/** The version of what the commands print; FORMAT.md has its own for what is stored. */
const VERSION = "v1"

/** Every JSON Schema that we publish, by the name of its file in `docs/schema/v1`. */
export function publishedSchemas(): Record<string, object> {
  const ofCommands = Object.entries(documents).map(([name, schema]) => [
    schemaName(name),
    schemaOf(schema, schemaName(name), `A document of \`treelog ${name} --json\`.`),
  ])
  return {
    ...Object.fromEntries(ofCommands),
    error: schemaOf(error, "error", "What a command prints on stderr with --json when it fails."),
    warning: schemaOf(
      warning,
      "warning",
      "What a command prints on stderr with --json of what is wrong and ends nothing.",
    ),
    header: schemaOf(headerSchema, "header", "The header of a session: docs/FORMAT.md, section 2."),
    entry: schemaOf(entrySchema, "entry", "An entry of a session, version 3: docs/FORMAT.md, section 2."),
    message: schemaOf(messageSchema, "message", "A message of a session, version 3: docs/FORMAT.md, section 2."),
  }
}

/** `blobs-gc` for `blobs gc`. */
export function schemaName(command: string): string {
  return command.replaceAll(" ", "-")
}

function schemaOf(schema: z.core.$ZodType, name: string, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", metadata: words, override })
  return { $schema, $id: `urn:treelog:${VERSION}:${name}`, title, ...rest }
}

/** The same where nothing may stand that it does not name: what commands print has to be documented. */
export function strictSchema(schema: z.core.$ZodType): object {
  return z.toJSONSchema(schema, { io: "output", override })
}

type Node = z.core.JSONSchema.BaseSchema

/**
 * What JSON Schema cannot say of itself: the last option of a choice by a field is for names that the others do not have. And
 * numbers that are whole need no bounds: JSON has them.
 */
function override({ jsonSchema }: { jsonSchema: Node }): void {
  const { anyOf } = jsonSchema
  if (jsonSchema.type === "integer" && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.type === "integer" && jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  const field = anyOf && ["type", "role"].find((name) => constOf(anyOf[0], name) !== undefined)
  const other = anyOf?.at(-1)
  if (!field || !other || constOf(other, field) !== undefined || !propertyOf(other, field)) return
  const known = anyOf.slice(0, -1).map((option) => constOf(option, field))
  other.properties = { ...other.properties, [field]: { type: "string", not: { enum: known as string[] } } }
}

function constOf(node: unknown, name: string): unknown {
  return propertyOf(node, name)?.const
}

function propertyOf(node: unknown, name: string): Node | undefined {
  return (node as Node | undefined)?.properties?.[name] as Node | undefined
}
