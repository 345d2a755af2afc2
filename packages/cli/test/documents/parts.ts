import * as z from "zod/mini"

// What the documents have in common.

/** What is said of the schemas, for readers of the JSON Schemas. */
export const words = z.registry<{ description: string }>()

/** The schema, with words of its own. */
export function described<Schema extends z.core.$ZodType>(schema: Schema, description: string): Schema {
  const own = z.core.clone(schema, schema._zod.def)
  words.add(own, { description })
  return own
}

/** A document of a line of its own. `v` is raised when a change breaks a reader; fields may be added. */
export function document<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object({ v: z.literal(1), ...shape })
}

export const text = z.string()
export const count = z.int().check(z.nonnegative())
export const bytes = () => described(z.int().check(z.nonnegative()), "Bytes.")
export const time = () => described(z.number(), "Milliseconds since 1970.")
export const iso = () => described(z.string(), "ISO 8601.")
export const optional = z.exactOptional
export const path = () => described(z.string(), "An absolute path; a key or an address for what is on a server.")
export const orNull = z.nullable
export const program = () =>
  described(z.enum(["treelog", "pi", "xcsh", "omp", "claude-code", "codex"]), "With --all-stores: whose store it is.")

export const describedError = z.object({ code: described(text, "As docs/ERRORS.md has them."), message: text })

/** What stands in the place of a session that a command could not deal with. */
export const failure = { path: path(), error: describedError }

export const entry = () =>
  described(z.looseObject({ type: text }), "An entry as it is stored: docs/schema/session/entry.json.")

export const diagnostic = z.object({
  kind: described(text, "As docs/ERRORS.md has them."),
  line: optional(described(count, "From 1.")),
  offset: optional(bytes()),
  entryId: optional(text),
  message: text,
})

export const leafId = () => described(orNull(text), "Where the session stands; null is before everything.")

/** Which session a document is about, and where it stands. */
export const session = { sessionId: text, path: path(), leafId: leafId() }

export const tally = () => z.object({ count, bytes: bytes() })

export const status = z.enum(["complete", "interrupted", "aborted", "error", "pending", "unknown"])

/** What calls cost. */
export const cost = described(
  z.object({
    reported: described(z.number(), "What programs wrote. US dollars."),
    estimated: described(z.number(), "By list prices, what calls cost of which no cost was written. US dollars."),
    unpriced: described(
      z.object({ models: z.array(text), tokens: z.number() }),
      "What has neither: it is not in the other two.",
    ),
    free: described(z.array(text), "Models whose price is 0."),
  }),
  "Of all branches and copies, where it is that of a session in a list.",
)

/** Tokens and cost. */
export const amounts = {
  calls: count,
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  totalTokens: z.number(),
  cost,
}

export const partAmounts = z.array(z.object({ role: text, ...amounts }))

/** What a list says of a session. */
export const sessionInfo = {
  id: text,
  cwd: text,
  name: optional(text),
  parentSession: optional(text),
  created: time(),
  modified: described(z.number(), "The last message of the user or an assistant. Milliseconds since 1970."),
  messageCount: optional(described(count, "Missing where only the ends of a session are read: those of other agents.")),
  firstMessage: described(text, "The first text of the user; empty where there is none."),
  size: bytes(),
  status,
  kind: optional(described(z.enum(["sdk", "empty"]), "No person had it: a program did, or nobody said anything.")),
  model: optional(
    described(
      text,
      "`provider/model` of the last answer. Missing, as `cost`, for sessions of other agents that were not read yet.",
    ),
  ),
  cost: optional(cost),
  error: optional(describedError),
}
