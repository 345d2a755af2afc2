// How a file `documents.ts` beside a command says what the command prints with --json: as a JSON Schema. `npm run documents` writes docs/schema/v1 of them.
// No command imports them.

/** A JSON Schema, of the draft 2020-12. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** Fields of an object; those in `optional` may be missing. */
type Fields = Readonly<Record<string, Schema>>

const MAY_BE_MISSING = Symbol("may be missing")

/** A field that may be missing. */
export const optional = (schema: Schema): Schema => ({ ...schema, [MAY_BE_MISSING]: true })

export const described = (schema: Schema, description: string): Schema => ({ ...schema, description })

export function object(fields: Fields): Schema {
  const required = Object.keys(fields).filter((name) => !(MAY_BE_MISSING in (fields[name] as Schema)))
  return { type: "object", properties: fields, ...(required.length > 0 && { required }) }
}

export const looseObject = (fields: Fields): Schema => ({ ...object(fields), additionalProperties: {} })

/** A document of a line of its own. `v` is raised when a change breaks a reader; fields may be added. */
export const document = (fields: Fields): Schema => object({ v: literal(1), ...fields })

export const list = (items: Schema): Schema => ({ type: "array", items })

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

export const orNull = ({ type, ...rest }: Schema): Schema =>
  Object.keys(rest).length === 0 ? { type: [type, "null"] } : { anyOf: [{ type, ...rest }, literal(null)] }

export const bytes = described(count, "Bytes.")

export const time = described(number, "Milliseconds since 1970.")

export const iso = described(text, "ISO 8601.")

export const path = described(text, "An absolute path; a key or an address for what is on a server.")

export const program = described(text, "Where several stores are read: whose store it is, as `--store` takes it.")

export const describedError = object({ code: described(text, "As docs/ERRORS.md has them."), message: text })

/** What stands in the place of a session that a command could not deal with. */
export const failure = { path, error: describedError }

/** One of an agent may be no session at all. */
export const ofAgent = {
  isSession: optional(described(literal(false), "Of a file among those of an agent that was never a session.")),
}

export const entry = described(looseObject({ type: text }), "An entry as it is stored: docs/schema/session/entry.json.")

export const diagnostic = object({
  kind: described(text, "As docs/ERRORS.md has them."),
  line: optional(described(count, "From 1.")),
  offset: optional(bytes),
  entryId: optional(text),
  message: text,
})

export const leafId = described(orNull(text), "Where the session stands; null is before everything.")

/** Which session a document is about, and where it stands. */
export const session = { sessionId: text, path, leafId }

export const tally = object({ count, bytes })

export const status = oneOf("complete", "interrupted", "aborted", "error", "pending", "unknown")

export const cost = described(
  object({
    reported: described(number, "What programs wrote. US dollars."),
    estimated: described(number, "By list prices, what calls cost of which no cost was written. US dollars."),
    unpriced: described(
      object({ models: list(text), tokens: number }),
      "What has neither: it is not in the other two.",
    ),
    free: described(list(text), "Models whose price is 0."),
  }),
  "Of all branches and copies, where it is that of a session in a list.",
)

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
export const live = described(
  object({
    state: described(
      oneOf("works", "waits-for-permission", "waits-for-prompt", "done", "dead", "unknown"),
      "`done`: its last turn is over, and no process has it. `dead`: its process ended within a turn. `unknown`: what can be seen does not say which.",
    ),
    since: time,
    by: described(
      list(
        object({
          what: described(
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
            "How the process that has it was found, or what its records, its file or its tools show.",
          ),
          says: described(text, "In words."),
          pid: optional(count),
          path: optional(described(path, "The file that says it.")),
        }),
      ),
      "What shows it.",
    ),
  }),
  "What it does, with --live.",
)

/** What a list says of a session. */
export const sessionInfo = {
  id: text,
  cwd: text,
  name: optional(text),
  parentSession: optional(text),
  otherContentOf: optional(
    described(text, "The id of another session, which this one had where it was imported from."),
  ),
  repository: optional(
    described(text, "Of the folder, as the session's program noted it: its main folder, or the address of its remote."),
  ),
  created: time,
  modified: described(number, "The last message of the user or an assistant. Milliseconds since 1970."),
  messageCount: optional(described(count, "Missing where only the ends of a session are read: those of other agents.")),
  firstMessage: described(text, "The first text of the user; empty where there is none."),
  size: bytes,
  status,
  kind: optional(
    described(
      oneOf("sdk", "subtask", "empty", "archived"),
      "No person had it, or nobody said anything; or its program has archived it.",
    ),
  ),
  model: optional(
    described(
      text,
      "`provider/model` of the last answer. Missing, as `cost`, for sessions of other agents that were not read yet.",
    ),
  ),
  cost: optional(cost),
  error: optional(describedError),
}

export const verification = {
  path,
  id: text,
  version: described(anything, "As the header has it; 1 where it has none."),
  lines: count,
  entries: count,
  size: bytes,
  ok: flag,
  diagnostics: list(diagnostic),
}

export const made = { sessionId: text, path, cwd: path, leafId }

export const appended = { ...session, entryId: described(text, "The entry that was written.") }

export const foundSession = {
  path,
  id: text,
  cwd: text,
  repository: optional(
    described(text, "Of the folder, as the session's program noted it: its main folder, or the address of its remote."),
  ),
  agent: optional(
    described(
      text,
      "The agent that made it, by its header, or else the one whose store it is in; missing where that is not known.",
    ),
  ),
  person: optional(described(text, "The person who bundled it, by its header; missing where that names none.")),
  project: optional(described(text, "In a store that groups sessions by project.")),
  name: described(text, "Empty if it has none."),
}

export const part = object({
  path: optional(described(text, "By which it is opened, where it has one.")),
  name: described(text, "Of the artifact that it is."),
  role: described(text, "Such as subagent, advisor or review."),
})

export const failed = described(document(failure), "A session that could not be dealt with.")
