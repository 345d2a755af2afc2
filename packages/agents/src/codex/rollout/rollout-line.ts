import type { Line } from "@treelog/session-core/adapter"
import { isObject, type Json, objectsIn, recordsIn, textIn, wasRecord } from "@treelog-internal/agent-files"

/** A line of a rollout. */
export interface RolloutLine {
  /** ISO 8601; undefined in files of 2025 that have none. */
  readonly timestamp: string | undefined
  /** In newer versions, its place in the history of the thread. */
  readonly ordinal: number | undefined
  /** Such as `response_item`. */
  readonly type: string
  readonly payload: Json
}

/** The first record of a line; undefined for a blank one. What cannot be read has the type `damaged`. */
export function readRolloutLine(line: Line): RolloutLine | undefined {
  for (const record of recordsIn(line)) {
    if ("value" in record) return rolloutLine(record.value)
    if ("torn" in record || record.data) return rolloutLine({ type: "damaged", payload: {} })
  }
  return undefined
}

/** What the first lines of a file say. */
interface FoundHead {
  /** The payload of the head; of a rollout whose head is damaged or gone, what the lines behind it say. Undefined of what is no rollout. */
  readonly meta?: Json
  /** Whether a line before is damaged; of what is no rollout, whether such a line was a record once. */
  readonly isDamaged: boolean
}

/** The lines that a rollout may begin with once its head is gone. */
const LINES: ReadonlySet<string> = new Set(["response_item", "event_msg", "turn_context", "compacted"])

/** How much of a line shows what it was. Bytes. */
const BEGINNING = 64

/** @param threadId as the name of the file has it; empty where it has none */
export function headIn(lines: Iterable<Line>, threadId: string): FoundHead {
  let isDamaged = false
  let wasRollout = false
  let meta: Json | undefined
  let hasHead = false
  for (const line of lines) {
    const read = readRolloutLine(line)
    if (!read) continue
    const { type, payload, timestamp } = read
    // A last line may still become complete.
    if (type === "damaged") {
      isDamaged ||= line.terminated
      wasRollout ||= line.terminated && wasRecord({ text: new TextDecoder().decode(line.bytes.subarray(0, BEGINNING)) })
    } else if (!meta && type === "session_meta") {
      const id = textIn(payload, "id")
      // Behind the head of a fork is the one of its origin.
      const isOrigin = isDamaged && threadId !== "" && id !== threadId
      meta = isOrigin ? { ...payload, id: threadId, forked_from_id: id } : payload
      hasHead = true
      if (textIn(meta, "cwd") !== undefined) break
    } else if (!meta && !(LINES.has(type) && (isDamaged || timestamp !== undefined))) return { isDamaged: wasRollout }
    else {
      meta ??= timestamp === undefined ? {} : { timestamp }
      const cwd = rolloutFolder(read)
      if (cwd !== undefined) return { meta: { ...meta, cwd }, isDamaged }
      // Heads of early versions name no folder: what the model gets of it stands before its first reply.
      if (hasHead && type === "response_item" && payload.role !== "user") break
    }
  }
  return meta ? { meta, isDamaged } : { isDamaged: wasRollout }
}

const FOLDER = /<cwd>([^<]+)<\/cwd>|^Current working directory: (.+)$/m

/** The folder of a turn, as its settings say, or what the model gets of it. */
function rolloutFolder({ type, payload }: RolloutLine): string | undefined {
  if (type === "turn_context") return textIn(payload, "cwd")
  const found = objectsIn(payload.content).map(({ text }) => FOLDER.exec(String(text)))
  return found.flatMap((match) => match?.[1] ?? match?.[2] ?? [])[0]
}

/** In the oldest files items stand without an envelope, and the first line is the bare head. */
export function rolloutLine(value: Json): RolloutLine {
  const timestamp = textIn(value, "timestamp")
  const ordinal = typeof value.ordinal === "number" ? value.ordinal : undefined
  const type = textIn(value, "type")
  if (type !== undefined && isObject(value.payload)) return { timestamp, ordinal, type, payload: value.payload }
  if (type !== undefined) return { timestamp, ordinal, type: "response_item", payload: value }
  if (textIn(value, "record_type") !== undefined) return { timestamp, ordinal, type: "record", payload: value }
  return { timestamp, ordinal, type: textIn(value, "id") === undefined ? "unknown" : "session_meta", payload: value }
}
