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

/** Numbers that are whole need no bounds: JSON has them. */
function override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.type !== "integer") return
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}
