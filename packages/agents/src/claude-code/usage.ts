import type { SessionEntry } from "@treelog/session-core"
import type { SourceUsage } from "@treelog-internal/agent-files"
import { type ClaudeCodeOptions, isTranscript, transcriptOf } from "./convert.js"
import { type EntryBody, usageBodies } from "./entries/entry-bodies.js"
import { makeReply } from "./entries/make-reply.js"
import type { Node } from "./link/node.js"
import { Scope } from "./link/scope.js"
import type { Part } from "./parts.js"
import { Titles } from "./plan/titles.js"
import type { SourceIndex } from "./source/source-index.js"
import { contentOf } from "./source/source-record.js"

// Why these are the entries of the whole file. What a response used is decided by its own lines, by their ids, and by those of other responses: which
// lines are one reply, which of them counts, what is a copy, what a sub-agent used. Links, which need all lines, decide only whether two replies
// with one time and content are one; and only lines of other kinds could have an id of a reply, which Claude Code never writes.

/**
 * What a session used and what it is called, as entries that its conversion has, too, without their places in the tree.
 * @param index the records that decide about it (`usageIndex`)
 * @param agents the files of its sub-agents, likewise: those within its own lines add nothing, since these lines have the same responses
 * @returns undefined where only the whole session says the same
 * @throws InvalidSessionError as `convertClaudeCode`
 */
export function usageEntries(
  index: SourceIndex,
  agents: readonly Part[],
  options: ClaudeCodeOptions,
): SourceUsage | undefined {
  // Where none of these lines is of Claude Code, others may be.
  if (!isTranscript(index)) return undefined
  const { header, records, foreign, areIdsKnown } = transcriptOf(index, agents, options)
  if (!areIdsKnown) return undefined
  const scope = new Scope(records)
  const replies = scope.nodes.filter(({ role }) => role === "reply")
  if (replies.some(({ record }) => record.time === undefined) || hasTwins(replies)) return undefined
  const entries: SessionEntry[] = []
  const add = (id: string, timestamp: string, body: EntryBody): void => {
    entries.push({ ...body, id, parentId: null, timestamp } as unknown as SessionEntry)
  }
  const titles = new Titles((uuid) => scope.positionOf(uuid) !== undefined)
  for (const record of records) {
    const isPlain = header.title === undefined && !scope.copies.has(record) && !scope.displaced.has(record)
    const name = record.title && isPlain ? titles.after(record.title) : undefined
    if (name !== undefined) add(record.id, record.time ?? header.timestamp, { type: "session_info", name })
  }
  for (const { record, records: lines, usage } of replies) {
    if (!usage) continue
    const { id, time = "" } = record
    const values = lines.map(({ value }) => value)
    add(id, time, { type: "message", message: makeReply(values, usage.usage, false, 0, false, record.hasSharedId) })
    for (const body of usageBodies(usage)) add(body.id, time, body)
  }
  for (const { record, time } of [...foreign.values()].flat()) {
    if (time === undefined) return undefined
    for (const body of usageBodies(record, "subagent")) add(body.id, time, body)
  }
  return { header, entries }
}

/** Whether two have the same time and content, so that they may be copies, as their links say. */
function hasTwins(replies: readonly Node[]): boolean {
  const firsts = new Map<string | undefined, Node[]>()
  for (const node of replies) {
    const others = firsts.get(node.record.time)
    if (others?.some((other) => contentOf(other.record) === contentOf(node.record))) return true
    if (others) others.push(node)
    else firsts.set(node.record.time, [node])
  }
  return false
}
