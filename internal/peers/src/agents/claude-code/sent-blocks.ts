import type { Block } from "../frame/compare-blocks.js"
import { blocksOf, type Json } from "../model/blocks.js"
import { plainId } from "../model/prompt-calls.js"

const REMINDER = /^<system-reminder>\n([\s\S]*?)\n?<\/system-reminder>\s*$/

/** The words around a summary as a message for any model (docs/FORMAT.md, section 6). */
const SUMMARY =
  /^The (?:conversation history before|following is a summary of a branch)[^\n]*:\n\n<summary>\n([\s\S]*)<\/summary>$/

/**
 * The blocks of messages of Anthropic's API. A reminder is the same in its tags and as a message of the system, where several are one text;
 * marks for the cache, white space around a text, and the order of the results of one reply, which treelog puts into that of the calls, make no
 * difference.
 */
export function sentBlocks(messages: readonly Json[]): Block[] {
  const blocks: Block[] = []
  for (const { role, content } of messages)
    for (const block of blocksOf(content)) {
      const next = comparable(block, role === "system")
      if (next.text === "") continue
      const last = blocks.at(-1)
      if (next.type === "reminder" && last?.type === "reminder")
        blocks[blocks.length - 1] = { ...last, text: `${last.text}\n\n${next.text}` }
      else if (next.type === "tool_result") insertResult(blocks, next)
      else blocks.push(next)
    }
  return blocks
}

function insertResult(blocks: Block[], result: Block): void {
  let at = blocks.length
  while (blocks[at - 1]?.type === "tool_result" && String(blocks[at - 1]?.tool_use_id) > String(result.tool_use_id))
    at--
  blocks.splice(at, 0, result)
}

function comparable(block: Json, isSystem: boolean): Block {
  const { type, text, cache_control: _, ...fields } = block
  switch (type) {
    case "text": {
      const summary = SUMMARY.exec(String(text))?.[1]
      if (summary !== undefined) return { type, text: summary.trim() }
      const reminder = REMINDER.exec(String(text))?.[1]
      if (isSystem || reminder !== undefined) return { type: "reminder", text: (reminder ?? String(text)).trim() }
      return { type, text: String(text).trim() }
    }
    case "tool_result":
      return {
        type,
        tool_use_id: plainId(fields.tool_use_id),
        is_error: fields.is_error === true,
        content: blocksOf(fields.content).map((one) => comparable(one, false)),
      }
    case "tool_use":
      return { type, id: plainId(fields.id), name: fields.name, input: fields.input }
    default:
      return { type, ...fields }
  }
}
