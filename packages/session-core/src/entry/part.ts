import { isEntry, type SessionEntry } from "./entry.js"
import { isJsonObject, type JsonObject, valueText } from "./values.js"

/** The custom type of the entry that stands for a part of a session: a transcript of its own, such as that of a sub-agent. */
export const PART = "treelog.part"

/** A part of a session, where it was called. Its transcript is an artifact. */
export interface SessionPart {
  /** The name of the artifact. */
  readonly name: string
  /** Such as `subagent`, `advisor` or `review`. */
  readonly role: string
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

/**
 * The parts that a result of a tool opens, as the details of omp's `task` name them: each sub-agent by its id, which is the name of its file.
 * @param message any message
 */
export function openedParts(message: unknown): SessionPart[] {
  if (!isJsonObject(message) || message.role !== "toolResult" || !isJsonObject(message.details)) return []
  const call = typeof message.toolCallId === "string" && { call: message.toolCallId }
  return resultsIn(message.details).map(({ id, description, task }) => {
    const title = [description, task].find((text) => typeof text === "string" && text !== "")
    return {
      name: `${valueText(id)}.jsonl`,
      role: "subagent",
      ...call,
      ...(title !== undefined && { title: title as string }),
    }
  })
}

/** The results of sub-agents in the details of a result, each with its id. */
export function resultsIn({ results }: JsonObject): JsonObject[] {
  if (!Array.isArray(results)) return []
  return results.filter((one) => isJsonObject(one) && typeof one.id === "string" && one.id !== "")
}
