import { isEntry, type SessionEntry } from "./entry.js"
import { isJsonObject, type JsonObject } from "./values.js"

/** The custom type of the entry that stands for a part of a session: a transcript of its own, such as that of a sub-agent. */
export const PART = "treelog.part"

/** A part of a session, where it was called. Its transcript is an artifact; the entry has what is searched and counted of it. */
export interface SessionPart {
  /** The name of the artifact. */
  readonly name: string
  readonly role: "subagent"
  /** The call of a tool that it works for. */
  readonly call?: string
  /** What it was asked. */
  readonly title?: string
  /** How many messages it has. */
  readonly messages?: number
  /** Why it cannot be read. */
  readonly error?: string
}

/** The data of an entry that stands for a part; undefined for other entries. */
export function partOf(entry: SessionEntry): (SessionPart & JsonObject) | undefined {
  if (!isEntry(entry, "custom") || entry.customType !== PART || !isJsonObject(entry.data)) return undefined
  return typeof entry.data.name === "string" ? (entry.data as unknown as SessionPart & JsonObject) : undefined
}
