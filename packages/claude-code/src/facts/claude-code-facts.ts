import { type SessionInfo, type SessionStatus, TreelogError } from "@treelog/session-core"
import { type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import { Titles } from "../plan/titles.js"
import type { ByteSource } from "../source/byte-source.js"
import { isKnownKind } from "../source/kinds.js"
import { isCommand, promptStart, promptText } from "../source/prompt-text.js"
import { type FirstValues, isOfProgram, noteOrigin } from "../source/source-index.js"
import { messageOf } from "../source/source-record.js"
import { EndLines, type SeenRecord } from "./end-lines.js"

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
 * What a list shows of a session of Claude Code, without converting it: the same as of the whole file. It parses the lines up to the first
 * prompt, those of the last message, and notes such as titles.
 * @param head the first bytes, 64 KB as a rule; all of them, if the file has no more
 * @param tail the last bytes, which may overlap the first
 * @param source the whole file, which may have its title or its first prompt between the two
 * @throws InvalidSessionError when nothing in them is a line of Claude Code
 */
export function claudeCodeFacts(
  head: Uint8Array,
  tail: Uint8Array,
  state: SourceState,
  source?: ByteSource,
): ClaudeCodeFacts {
  const parts = partsOf(head, tail, state.size)
  const [start, end] = parts
  const lines = new EndLines(start, end, source && { source, from: start.length, to: state.size - end.length })
  const isWhole = head.length + tail.length >= state.size
  const {
    isKnown,
    created = state.modified,
    cwd = "",
    parentSession,
    prompt,
    origin,
  } = startOf(lines, isWhole ? EMPTY : head)
  if (!isKnown) throw notASession(state)
  const name = titleOf(lines)
  const { status, modified } = endOf(lines)
  const kind = modified === undefined ? "empty" : isOfProgram(origin) ? "sdk" : undefined
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
    ...(kind && { kind }),
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
  readonly origin: FirstValues
  created?: number | undefined
  cwd?: string | undefined
  parentSession?: string | undefined
  prompt?: string | undefined
}

/** @param head whose last line was cut off: it may be the first prompt */
function startOf(lines: EndLines, head: Uint8Array): Start {
  const start = upToPrompt(lines.head())
  if (start.isTyped) return start
  const cut = promptStart(decoder.decode(head.subarray(head.lastIndexOf(LF) + 1)))
  return cut === "" ? upToPrompt(lines.fromStart()) : { ...upToPrompt(lines.fromStart()), prompt: cut }
}

/** @returns with the first command, where the user typed nothing else */
function upToPrompt(records: Iterable<SeenRecord>): Start & { isTyped: boolean } {
  const start: Start & { isTyped: boolean } = { isKnown: false, origin: {}, isTyped: false }
  for (const { value, head } of records) {
    start.isKnown ||= isKnownKind(head.kind)
    start.created ??= timeOf(value)
    if (value.isSidechain === true) continue
    start.cwd ??= textIn(value, "cwd")
    noteOrigin(start.origin, value)
    start.parentSession ??= textIn(objectIn(value, "forkedFrom") ?? {}, "sessionId")
    if (head.role !== "prompt") continue
    const { kind, text } = promptText(messageOf(value).content)
    if (text.trim() === "") continue
    start.isTyped = !isCommand(kind)
    if (start.isTyped) start.prompt = text
    else start.prompt ??= text
    if (start.isTyped) break
  }
  return start
}

/** Messages of the user and of the model. */
const SAID: ReadonlySet<string> = new Set(["prompt", "queued", "result", "reply"])

/**
 * How the last turn ended, as for any session, and the time of the newest prompt or reply, which is that of its first line: 0 where it has
 * none, undefined without a message.
 */
function endOf(lines: EndLines): { status: SessionStatus; modified: number | undefined } {
  /** Lines of the last reply. */
  const reply: SeenRecord[] = []
  let [modified, begun]: (number | undefined)[] = []
  /** Whether results end it, the output of a command was seen, and the user left. */
  let [isOpen, isPrinted, isLeft] = [false, false, false]
  for (const record of lines.fromEnd()) {
    const { head, value } = record
    if (head.promptKind === "exit") isLeft = true
    if (!SAID.has(head.role) || value.isSidechain === true) continue
    modified ??= 0
    const [last] = reply
    if (head.role === "result") {
      // Results may stand between the lines of a reply.
      isOpen ||= !last
      continue
    }
    const time = timeOf(value) ?? 0
    if (head.role !== "reply" && (isOpen || last)) {
      begun ??= time
      break
    }
    if (head.role === "reply") {
      if (last && head.key !== last.head.key) break
      begun = time
      reply.push(record)
      continue
    }
    modified = Math.max(modified, time)
    if (head.promptKind === "interruption") return { status: "aborted", modified }
    const isOutput = head.promptKind === "output"
    const isRun = isCommand(head.promptKind) || head.promptKind === "shell"
    const waits = !isOutput && head.promptKind !== "exit" && !(isRun && isPrinted)
    if (waits) return { status: isLeft ? "aborted" : "pending", modified }
    isPrinted = isOutput
  }
  if (begun !== undefined) modified = Math.max(modified ?? 0, begun)
  return { status: isOpen ? "interrupted" : statusAfter(reply), modified }
}

function statusAfter(reply: readonly SeenRecord[]): SessionStatus {
  if (reply.length === 0) return "unknown"
  if (reply.some(({ value }) => value.isApiErrorMessage === true)) return "error"
  return reply.some(({ head }) => (head.calls?.length ?? 0) > 0) ? "interrupted" : "complete"
}

/** Undefined where it is missing or no time. Milliseconds since 1970. */
function timeOf({ timestamp }: Json): number | undefined {
  const millis = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(millis) ? undefined : millis
}

function titleOf(lines: EndLines): string {
  const titles = new Titles((uuid) => lines.hasUuid(uuid))
  let name = ""
  for (const { head } of lines.titles()) name = (head.title && titles.after(head.title)) ?? name
  return name
}

function notASession({ id }: SourceState): TreelogError {
  const message = `${id} is no session of Claude Code: none of the lines at its start and its end is one that Claude Code writes.`
  return new TreelogError("InvalidSessionError", message, { key: id, found: "no line of Claude Code" })
}
