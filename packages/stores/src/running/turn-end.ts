import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import type { AgentPlace } from "@treelog/agents/places"
import type { SessionEntry } from "@treelog/session-core"
import { ifAllowed } from "@treelog-internal/fs"
import type { Source } from "../library/source.js"

/** How the last turn of a session stands, by its last records. */
export interface TurnEnd {
  /**
   * `"over"`: the agent has answered, or was interrupted. `"open"`: the model is asked. `"calling"`: a call has no result. `"asking"`: the agent
   * has asked for a permission. `"unknown"`: it has no messages.
   */
  readonly is: "over" | "open" | "calling" | "asking" | "unknown"
  /** The tool of the call that has no result. */
  readonly tool?: string
  /** The time of the last entry. Milliseconds since 1970; 0 where it has none. */
  readonly at: number
}

/** @throws SessionNotFoundError, InvalidSessionError, StorageError */
export async function turnEnd(
  { storage, manager }: Pick<Source, "storage" | "manager">,
  path: string,
  { turnRecords }: Pick<AgentPlace, "turnRecords"> = {},
): Promise<TurnEnd> {
  const said = turnRecords && saidAtEnd(path, turnRecords)
  const end = endOf((await storage.end?.(path, { withParts: false })) ?? (await branchOf(await manager(path), path)))
  if (said === "asking" || said === "over") return { ...end, is: said }
  return said === "open" && end.is === "over" ? { ...end, is: "open" } : end
}

async function branchOf(manager: Awaited<ReturnType<Source["manager"]>>, path: string): Promise<SessionEntry[]> {
  const session = await manager.open(path, { access: "read" })
  try {
    return session.getLeafId() === null ? [] : session.getBranch()
  } finally {
    await session.close()
  }
}

/** What of a message decides. */
interface Said {
  readonly role?: string
  readonly stopReason?: string
  readonly errorMessage?: string
  readonly toolCallId?: string
  readonly content?: unknown
}

interface Call {
  readonly type: "toolCall"
  readonly id: string
  readonly name: string
}

function endOf(entries: readonly SessionEntry[]): TurnEnd {
  const at = Date.parse(entries.at(-1)?.timestamp ?? "") || 0
  const answered = new Set<string>()
  for (const entry of [...entries].reverse()) {
    if (entry.type !== "message") continue
    const { role, stopReason, errorMessage, toolCallId, content } = entry.message as Said
    if (role === "toolResult") answered.add(toolCallId ?? "")
    else if (role === "user") return { is: stopReason === undefined ? "open" : "over", at }
    else if (role === "assistant") {
      const open = callsIn(content).find(({ id }) => !answered.has(id))
      if (stopReason === "error" || (stopReason === "aborted" && errorMessage !== undefined)) return { is: "over", at }
      if (open) return { is: "calling", tool: open.name, at }
      // A reply that is being written has no reason to end.
      return { is: answered.size > 0 || stopReason === "toolUse" || stopReason === "aborted" ? "open" : "over", at }
    }
  }
  return { is: answered.size > 0 ? "open" : "unknown", at }
}

function callsIn(content: unknown): Call[] {
  return Array.isArray(content) ? content.filter(({ type }) => type === "toolCall") : []
}

/** Bytes of the end of a file in which a record of a turn is looked for. */
const END = 512 * 1024

/** What the last of the records says that are about turns; undefined where the end of the file has none. */
function saidAtEnd(path: string, records: NonNullable<AgentPlace["turnRecords"]>): TurnEnd["is"] | undefined {
  const text = endText(path)
  if (text === undefined) return undefined
  const kinds = { open: records.begin, over: records.end, asking: records.ask, answered: records.answer }
  let last: { at: number; kind: string } = { at: -1, kind: "" }
  for (const [kind, types = []] of Object.entries(kinds))
    for (const type of types) {
      const at = text.lastIndexOf(`"type":"${type}"`)
      if (at > last.at) last = { at, kind }
    }
  return last.kind === "" || last.kind === "answered" ? undefined : (last.kind as TurnEnd["is"])
}

/** Undefined of what is no file, such as a session in a database. */
function endText(path: string): string | undefined {
  return ifAllowed(() => {
    const file = openSync(path, "r")
    try {
      const { size } = fstatSync(file)
      const bytes = Buffer.alloc(Math.min(size, END))
      return bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, size - bytes.length))
    } finally {
      closeSync(file)
    }
  })
}
