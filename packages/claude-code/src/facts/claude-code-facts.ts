import { isEntry, type SessionInfo, type SessionStatus, TreelogError } from "@treelog/session-core"
import { linesOf, parseLine } from "@treelog/session-core/adapter"
import { convertClaudeCode } from "../convert.js"
import { isJsonObject, type JsonObject, stringOf } from "../json-values.js"
import { Titles } from "../plan/titles.js"
import { isKnownKind } from "../source/kinds.js"
import { headOf, type RecordHead } from "../source/record-head.js"
import { CLAUDE_RECORDS } from "../source/source-index.js"
import { promptStart, promptText } from "./first-prompt.js"

/** What is known of a file without reading it. */
export interface SourceState {
  /** The name of the file without `.jsonl`. */
  readonly id: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

/** What a list shows of a session. Messages are counted only where all bytes were given. */
export type ClaudeCodeFacts = Omit<SessionInfo, "path" | "messageCount"> & { readonly messageCount?: number }

/**
 * What a list shows of a session of Claude Code, from the start and the end of its file, without converting it.
 * @param head the first bytes, 64 KB as a rule; all of them, if the file has no more
 * @param tail the last bytes, which may overlap the first
 * @throws InvalidSessionError when nothing in them is a line of Claude Code
 */
export function claudeCodeFacts(head: Uint8Array, tail: Uint8Array, state: SourceState): ClaudeCodeFacts {
  const isWhole = head.length + tail.length >= state.size
  const whole = isWhole ? joined(head, tail, state.size) : undefined
  const start = whole ?? head.subarray(0, head.lastIndexOf(LF) + 1)
  const end = whole ? new Uint8Array() : tail.subarray(tail.indexOf(LF) + 1)
  const records = [...recordsIn(start), ...recordsIn(end)]
  if (!records.some(({ head: { kind } }) => isKnownKind(kind))) throw notASession(state)
  const cut = whole ? "" : promptStart(decoder.decode(head.subarray(start.length)))
  return { ...factsOf(records, state, cut), ...(whole && { messageCount: countMessages(whole, state) }) }
}

const LF = 0x0a
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

interface SeenRecord {
  readonly value: JsonObject
  readonly head: RecordHead
}

function joined(head: Uint8Array, tail: Uint8Array, size: number): Uint8Array {
  if (head.length >= size) return head
  const whole = new Uint8Array(size)
  whole.set(tail, size - tail.length)
  whole.set(head)
  return whole
}

function recordsIn(bytes: Uint8Array): SeenRecord[] {
  return [...linesOf(bytes)].flatMap((line) =>
    parseLine(line, CLAUDE_RECORDS).records.map(({ value, place }) => ({ value, head: headOf(value, place.length) })),
  )
}

function factsOf(records: readonly SeenRecord[], { id, size, modified }: SourceState, cut: string): ClaudeCodeFacts {
  const own = records.filter(({ value }) => value.isSidechain !== true)
  const said = own.filter(({ head: { role } }) => SAID.has(role))
  const times = records.flatMap(({ value }) => timeOf(value))
  const created = times[0] ?? modified
  const name = titleOf(records)
  const parentSession = own.map(forkedFrom).find((parent) => parent !== undefined)
  return {
    id,
    cwd: own.map(({ value }) => stringOf(value.cwd)).find((cwd) => cwd !== undefined) ?? "",
    ...(name !== "" && { name }),
    ...(parentSession !== undefined && { parentSession }),
    created,
    modified: said.flatMap(({ value }) => timeOf(value)).reduce((newest, time) => Math.max(newest, time), 0) || created,
    firstMessage: firstPrompt(own) ?? cut,
    size,
    status: statusOf(said),
  }
}

/** Messages of the user and of the model. */
const SAID: ReadonlySet<string> = new Set(["prompt", "result", "reply"])

function timeOf({ timestamp }: JsonObject): number[] {
  const millis = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(millis) ? [] : [millis]
}

function forkedFrom({ value: { forkedFrom: origin } }: SeenRecord): string | undefined {
  return isJsonObject(origin) ? stringOf(origin.sessionId) : undefined
}

function titleOf(records: readonly SeenRecord[]): string {
  const uuids = new Set(records.map(({ value }) => value.uuid))
  const titles = new Titles((uuid) => uuids.has(uuid))
  return records.reduce((name, { head: { title } }) => (title && titles.after(title)) ?? name, "")
}

function firstPrompt(own: readonly SeenRecord[]): string | undefined {
  return own
    .filter(({ head }) => head.role === "prompt")
    .map(({ value }) => promptText(value))
    .find((text) => text.trim() !== "")
}

/** How the last turn ended, as for any session. */
function statusOf(said: readonly SeenRecord[]): SessionStatus {
  const last = said.at(-1)
  if (!last) return "unknown"
  if (last.head.role !== "reply") return last.head.role === "prompt" ? "pending" : "interrupted"
  const lines = said.filter(({ head }) => head.reply?.key === last.head.reply?.key)
  if (lines.some(({ value }) => value.isApiErrorMessage === true)) return "error"
  return lines.some(({ head }) => (head.reply?.calls.length ?? 0) > 0) ? "interrupted" : "complete"
}

function countMessages(whole: Uint8Array, { id }: SourceState): number {
  return convertClaudeCode(whole, { name: id }).entries.filter((entry) => isEntry(entry, "message")).length
}

function notASession({ id }: SourceState): TreelogError {
  const message = `${id} is no session of Claude Code: none of the lines at its start and its end is one that Claude Code writes.`
  return new TreelogError("InvalidSessionError", message, { key: id, found: "no line of Claude Code" })
}
