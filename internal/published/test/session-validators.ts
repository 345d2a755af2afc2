import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { sessionSchemas } from "./session-schemas.js"

/** Where the schemas would be found, so that their references to each other can be resolved. */
const HOME = "https://schemas.test/session/"

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
for (const [name, schema] of Object.entries(sessionSchemas())) ajv.addSchema(schema, HOME + name)

/** The JSON Schema of a file in `docs/schema/session`, as a function. */
export function validator(name: string): ValidateFunction {
  const validate = ajv.getSchema(HOME + name)
  if (!validate) throw new Error(`There is no schema ${name}`)
  return validate
}

/** What the schemas have against the lines of a session: nothing, if it is of version 3 and as FORMAT.md says. */
export function faultsIn(text: string): { line: string; errors: string }[] {
  const [header = "", ...entries] = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith('{"type":"title"'))
  return [
    { line: header, validate: validator("header.json") },
    ...entries.map((line) => ({ line, validate: validator("entry.json") })),
  ].flatMap(({ line, validate }) =>
    validate(JSON.parse(line)) ? [] : [{ line, errors: ajv.errorsText(validate.errors) }],
  )
}
