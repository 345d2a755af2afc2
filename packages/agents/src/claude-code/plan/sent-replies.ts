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

/** Tools by the names that they had: requests have calls by the name of today. Its sub-agents have no such tools. */
const RENAMED_TOOLS: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([["Task", "Agent"]])

/** Whether a reply has calls of tools that have another name today. */
export function hasRenamedCalls({ records }: Node): boolean {
  return records.some(({ isSidechain, calls }) => !isSidechain && calls?.some(({ name }) => RENAMED_TOOLS.has(name)))
}

/** What records of a reply say, as later requests have it. */
export function sentBlocks(records: readonly SourceRecord[]): ContentBlock[] {
  return records.flatMap(({ value, isSidechain }) => {
    const blocks = blocksOf(messageOf(value).content)
    if (isSidechain) return blocks
    return blocks.map((block) => {
      const name = block.type === "toolCall" && "name" in block ? RENAMED_TOOLS.get(String(block.name)) : undefined
      return name === undefined ? block : { ...block, name }
    })
  })
}

/** What records of a reply say without thoughts; undefined where they have none. */
export function spokenContent(records: readonly SourceRecord[]): ContentBlock[] | undefined {
  const content = sentBlocks(records)
  const spoken = content.filter(({ type }) => type !== "thinking")
  return spoken.length < content.length ? spoken : undefined
}
