import { isJsonObject } from "./values.js"

/** What the header of a session says of where it is from: of a copy, and of what was converted. */
export interface SourceOfSession {
  /** The agent that made it. */
  readonly agent?: string
  /** The person who bundled it. */
  readonly person?: string
}

/** Where a session is from, as far as its header says it. */
export function sourceOf(header: object): SourceOfSession {
  const source = "source" in header && isJsonObject(header.source) ? header.source : {}
  const { agent, person } = source
  return { ...(isFilled(agent) && { agent }), ...(isFilled(person) && { person }) }
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}
