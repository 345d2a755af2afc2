// How a file `documents.ts` beside a command says what the command prints with --json: as a JSON Schema. `npm run documents` writes docs/schema/v1 of them.
// No command imports them.

/** A JSON Schema, of the draft 2020-12. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** Fields of an object; those in `optional` may be missing. */
type Fields = Readonly<Record<string, Schema>>

const MAY_BE_MISSING = Symbol("may be missing")

export const described = (description: string, schema: Schema): Schema => ({ ...schema, description })

/** What makes a schema: with one argument, or with a description before it. */
function maker<Of>(make: (of: Of) => Schema): (...given: [of: Of] | [description: string, of: Of]) => Schema {
  return (...given) => (given.length === 1 ? make(given[0]) : described(given[0], make(given[1])))
}

/** A field that may be missing. */
export const optional = maker((schema: Schema) => ({ ...schema, [MAY_BE_MISSING]: true }))

export const object = maker((fields: Fields) => {
  const required = Object.keys(fields).filter((name) => !(MAY_BE_MISSING in (fields[name] as Schema)))
  return { type: "object", properties: fields, ...(required.length > 0 && { required }) }
})

export const looseObject = (fields: Fields): Schema => ({ ...object(fields), additionalProperties: {} })

/** A document of a line of its own. `v` is raised when a change breaks a reader; fields may be added. */
export const document = maker((fields: Fields) => object({ v: literal(1), ...fields }))

export const list = maker((items: Schema) => ({ type: "array", items }))

/** An object whose values are alike, by their names. */
export const mapOf = (values: Schema): Schema => ({
  type: "object",
  propertyNames: { type: "string" },
  additionalProperties: values,
})

export const either = (...anyOf: readonly Schema[]): Schema => ({ anyOf })

export const oneOf = (...values: readonly string[]): Schema => ({ type: "string", enum: values })

export const literal = (value: string | number | boolean | null): Schema =>
  value === null ? { type: "null" } : { type: typeof value, const: value }

export const text: Schema = { type: "string" }
export const number: Schema = { type: "number" }
export const integer: Schema = { type: "integer" }
export const count: Schema = { type: "integer", minimum: 0 }
export const positive: Schema = { type: "integer", minimum: 1 }
export const flag: Schema = { type: "boolean" }
export const anything: Schema = {}

export const orNull = maker(({ type, ...rest }: Schema) =>
  Object.keys(rest).length === 0 ? { type: [type, "null"] } : { anyOf: [{ type, ...rest }, literal(null)] },
)

export const bytes = described("Bytes.", count)

export const time = described("Milliseconds since 1970.", number)

export const iso = described("ISO 8601.", text)

export const path = described("An absolute path; a key or an address for what is on a server.", text)

export const program = described("Where several stores are read: whose store it is, as `--store` takes it.", text)

export const describedError = object({ code: described("As docs/ERRORS.md has them.", text), message: text })

/** What stands in the place of a session that a command could not deal with. */
export const failure = { path, error: describedError }

/** One of an agent may be no session at all. */
export const ofAgent = {
  isSession: optional("Of a file among those of an agent that was never a session.", literal(false)),
}

export const entry = described("An entry as it is stored: docs/schema/session/entry.json.", looseObject({ type: text }))

export const diagnostic = object({
  kind: described("As docs/ERRORS.md has them.", text),
  line: optional("From 1.", count),
  offset: optional(bytes),
  entryId: optional(text),
  message: text,
})

export const leafId = orNull("Where the session stands; null is before everything.", text)

/** Which session a document is about, and where it stands. */
export const session = { sessionId: text, path, leafId }

export const tally = object({ count, bytes })

export const status = oneOf("complete", "interrupted", "aborted", "error", "pending", "unknown")

export const cost = object("Of all branches and copies, where it is that of a session in a list.", {
  reported: described("What programs wrote. US dollars.", number),
  estimated: described("By list prices, what calls cost of which no cost was written. US dollars.", number),
  unpriced: object("What has neither: it is not in the other two.", { models: list(text), tokens: number }),
  free: list("Models whose price is 0.", text),
})

/** Tokens and cost. */
export const amounts = {
  calls: count,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  totalTokens: number,
  cost,
}

export const partAmounts = list(object({ role: text, ...amounts }))

/** What a session does, with what shows it. */
export const live = object("What it does, with --live.", {
  state: described(
    "`done`: its last turn is over, and no process has it. `dead`: its process ended within a turn. `unknown`: what can be seen does not say which.",
    oneOf("works", "waits-for-permission", "waits-for-prompt", "done", "dead", "unknown"),
  ),
  since: time,
  by: list(
    "What shows it.",
    object({
      what: described(
        "How the process that has it was found, or what its records, its file or its tools show.",
        oneOf(
          "pid-file",
          "arguments",
          "open-file",
          "folder",
          "no-process",
          "child-process",
          "no-child-process",
          "last-record",
          "growth",
        ),
      ),
      says: described("In words.", text),
      pid: optional(count),
      path: optional("The file that says it.", path),
    }),
  ),
})

/** What a list says of a session. */
export const sessionInfo = {
  id: text,
  cwd: text,
  name: optional(text),
  parentSession: optional(text),
  otherContentOf: optional("The id of another session, which this one had where it was imported from.", text),
  repository: optional(
    "Of the folder, as the session's program noted it: its main folder, or the address of its remote.",
    text,
  ),
  created: time,
  modified: described("The last message of the user or an assistant. Milliseconds since 1970.", number),
  messageCount: optional("Missing where only the ends of a session are read: those of other agents.", count),
  firstMessage: described("The first text of the user; empty where there is none.", text),
  size: bytes,
  status,
  kind: optional(
    "No person had it, or nobody said anything; or its program has archived it.",
    oneOf("sdk", "subtask", "empty", "archived"),
  ),
  model: optional(
    "`provider/model` of the last answer. Missing, as `cost`, for sessions of other agents that were not read yet.",
    text,
  ),
  cost: optional(cost),
  error: optional(describedError),
}

export const verification = {
  path,
  id: text,
  version: described("As the header has it; 1 where it has none.", anything),
  lines: count,
  entries: count,
  size: bytes,
  ok: flag,
  diagnostics: list(diagnostic),
}

export const made = { sessionId: text, path, cwd: path, leafId }

export const appended = { ...session, entryId: described("The entry that was written.", text) }

export const foundSession = {
  path,
  id: text,
  cwd: text,
  repository: optional(
    "Of the folder, as the session's program noted it: its main folder, or the address of its remote.",
    text,
  ),
  agent: optional(
    "The agent that made it, by its header, or else the one whose store it is in; missing where that is not known.",
    text,
  ),
  person: optional("The person who bundled it, by its header; missing where that names none.", text),
  project: optional("In a store that groups sessions by project.", text),
  name: described("Empty if it has none.", text),
}

export const part = object({
  path: optional("By which it is opened, where it has one.", text),
  name: described("Of the artifact that it is.", text),
  role: described("Such as subagent, advisor or review.", text),
})

export const failed = document("A session that could not be dealt with.", failure)
