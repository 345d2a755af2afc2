import { type SessionInfo, type SessionStatus, TreelogError } from "@treelog/session-core"
import { isJsonObject, type JsonObject, stringOf } from "../json-values.js"
import { Titles } from "../plan/titles.js"
import { isKnownKind } from "../source/kinds.js"
import { EndLines, type SeenRecord } from "./end-lines.js"
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

/** What a list shows of a session. Messages are not counted: that takes the whole file. */
export type ClaudeCodeFacts = Omit<SessionInfo, "path" | "messageCount">

/**
 * What a list shows of a session of Claude Code, from the start and the end of its file, without converting it. Of them, it parses the
 * lines up to the first prompt, those of the last message, and notes such as titles.
 * @param head the first bytes, 64 KB as a rule; all of them, if the file has no more
 * @param tail the last bytes, which may overlap the first
 * @throws InvalidSessionError when nothing in them is a line of Claude Code
 */
export function claudeCodeFacts(head: Uint8Array, tail: Uint8Array, state: SourceState): ClaudeCodeFacts {
  const lines = new EndLines(...partsOf(head, tail, state.size))
  const isWhole = head.length + tail.length >= state.size
  const { isKnown, created = state.modified, cwd = "", parentSession, prompt } = startOf(lines, isWhole ? EMPTY : head)
  if (!isKnown) throw notASession(state)
  const name = titleOf(lines)
  const { status, modified } = endOf(lines)
  return {
    id: state.id,
    cwd,
    ...(name !== "" && { name }),
    ...(parentSession !== undefined && { parentSession }),
    created,
    modified: modified || created,
    firstMessage: prompt ?? "",
    size: state.size,
    status,
  }
}

const LF = 0x0a
const EMPTY = /* @__PURE__ */ new Uint8Array()
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/** The whole lines at the start and at the end. The first are all where the whole file was read. */
function partsOf(head: Uint8Array, tail: Uint8Array, size: number): [Uint8Array, Uint8Array] {
  if (head.length >= size) return [head, EMPTY]
  if (head.length + tail.length < size)
    return [head.subarray(0, head.lastIndexOf(LF) + 1), tail.subarray(tail.indexOf(LF) + 1)]
  const whole = new Uint8Array(size)
  whole.set(tail, size - tail.length)
  whole.set(head)
  return [whole, EMPTY]
}

/** What is known when the first prompt was found. */
interface Start {
  /** Whether there is a line that Claude Code writes. */
  isKnown: boolean
  created?: number | undefined
  cwd?: string | undefined
  parentSession?: string | undefined
  prompt?: string | undefined
}

/** @param head whose last line was cut off: it may be the first prompt */
function startOf(lines: EndLines, head: Uint8Array): Start {
  const start = upToPrompt(lines.head())
  if (start.prompt !== undefined) return start
  const cut = promptStart(decoder.decode(head.subarray(head.lastIndexOf(LF) + 1)))
  return { ...upToPrompt(lines.fromStart()), ...(cut !== "" && { prompt: cut }) }
}

function upToPrompt(records: Iterable<SeenRecord>): Start {
  const start: Start = { isKnown: false }
  for (const { value, head } of records) {
    start.isKnown ||= isKnownKind(head.kind)
    start.created ??= timeOf(value)
    if (value.isSidechain === true) continue
    start.cwd ??= stringOf(value.cwd)
    start.parentSession ??= isJsonObject(value.forkedFrom) ? stringOf(value.forkedFrom.sessionId) : undefined
    const text = head.role === "prompt" ? promptText(value) : ""
    if (text.trim() === "") continue
    start.prompt = text
    break
  }
  return start
}

/** Messages of the user and of the model. */
const SAID: ReadonlySet<string> = new Set(["prompt", "result", "reply"])

/** How the last turn ended, as for any session, and the time of its newest message: 0 where there is none. */
function endOf(lines: EndLines): { status: SessionStatus; modified: number } {
  /** Lines of the last reply. */
  const reply: SeenRecord[] = []
  let modified = 0
  for (const record of lines.fromEnd()) {
    const { head, value } = record
    if (!SAID.has(head.role) || value.isSidechain === true) continue
    modified = Math.max(modified, timeOf(value) ?? 0)
    const [last] = reply
    if (!last && head.role !== "reply") return { status: head.role === "prompt" ? "pending" : "interrupted", modified }
    // Results may stand between the lines of a reply.
    if (head.role === "result") continue
    if (head.role === "prompt" || (last && head.reply?.key !== last.head.reply?.key)) break
    reply.push(record)
  }
  return { status: statusAfter(reply), modified }
}

function statusAfter(reply: readonly SeenRecord[]): SessionStatus {
  if (reply.length === 0) return "unknown"
  if (reply.some(({ value }) => value.isApiErrorMessage === true)) return "error"
  return reply.some(({ head }) => (head.reply?.calls.length ?? 0) > 0) ? "interrupted" : "complete"
}

/** Undefined where it is missing or no time. Milliseconds since 1970. */
function timeOf({ timestamp }: JsonObject): number | undefined {
  const millis = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(millis) ? undefined : millis
}

function titleOf(lines: EndLines): string {
  const titles = new Titles((uuid) => lines.hasUuid(uuid))
  let name = ""
  for (const { head } of lines.notes()) name = (head.title && titles.after(head.title)) ?? name
  return name
}

function notASession({ id }: SourceState): TreelogError {
  const message = `${id} is no session of Claude Code: none of the lines at its start and its end is one that Claude Code writes.`
  return new TreelogError("InvalidSessionError", message, { key: id, found: "no line of Claude Code" })
}
