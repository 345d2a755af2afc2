import type { ContentBlock } from "@treelog/session-core"
import { objectIn, textIn } from "@treelog-internal/agent-files"
import { blocksOf } from "../entries/content.js"
import type { Node } from "../link/node.js"
import { messageOf, type SourceRecord } from "../source/source-record.js"

/** Whether a node is a reply that later requests have: not one of thoughts alone, without a word, or with the error of an API. */
export function isSentReply({ role, record, records }: Node): boolean {
  if (role !== "reply" || record.isApiError) return false
  return !records.some(({ hasWords }) => hasWords !== undefined) || records.some(({ hasWords }) => hasWords)
}

/** The reply that a node follows, directly or behind its results, a compaction that kept it, what the client added, and replies that are not sent. */
export function replyAbove(node: Node | undefined): Node | undefined {
  let at = node
  while (at && at.role !== "prompt" && !isSentReply(at)) at = at.caller ?? at.parent
  return at?.role === "reply" ? at : undefined
}

/** The records of a reply, but for those whose calls have no result. */
export function answeredRecords({ records, results }: Node): readonly SourceRecord[] {
  const answers = results.flatMap(({ record }) => record.answers ?? [])
  const answered = new Set(answers.map(({ call }) => call))
  return records.filter(({ calls = [] }) => calls.length === 0 || calls.some(({ id }) => answered.has(id)))
}

/** The response from which on a record leaves thoughts out; undefined where it is all of them. */
export function firstWithoutThoughts({ value }: SourceRecord): string | undefined {
  return textIn(objectIn(objectIn(value, "attachment") ?? {}, "from") ?? {}, "messageId")
}

/** What records of a reply say without thoughts; undefined where they have none. */
export function spokenContent(records: readonly SourceRecord[]): ContentBlock[] | undefined {
  const content = records.flatMap(({ value }) => blocksOf(messageOf(value).content))
  const spoken = content.filter(({ type }) => type !== "thinking")
  return spoken.length < content.length ? spoken : undefined
}
