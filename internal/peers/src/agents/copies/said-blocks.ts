import type { Message } from "@treelog/session-core"
import { convertToLlm, repairContext } from "@treelog/session-core/messages"
import type { Block } from "../frame/compare-blocks.js"
import { blocksOf, type Json, textOf } from "../model/blocks.js"

// What a model gets of a session, in one form for all APIs: texts with their role, calls, results. Without thinking, which only its own model gets, and
// without marks of failures, which not all APIs have. Blocks of contexts have more, for what agents send otherwise: `at`, the place of their message, `isError`
// of a call that failed, `isSummary`.

/** What an agent would send of messages, each call with its result. */
export function blocksOfContext(messages: readonly Message[]): Block[] {
  const all = messages.flatMap((message) => {
    const isSummary = message.role === "compactionSummary"
    return convertToLlm([message]).messages.map((said) => (isSummary ? { ...said, isSummary } : said))
  })
  return repairContext(all, { turns: false }).messages.flatMap(({ role, content, ...message }, at): Block[] => {
    // Each agent has its own.
    if (role === "system" || role === "developer") return []
    const { toolCallId, isError, isSummary } = message as Json
    const blocks = blocksOf(content)
    if (role === "toolResult") return [{ ...resultBlock(toolCallId, blocks), at, ...(isError === true && { isError }) }]
    return blocks.flatMap((block): Block[] => {
      if (block.type === "text") return [{ role, text: block.text, at, ...(isSummary === true && { isSummary }) }]
      if (block.type === "image") return [{ role, image: true, at }]
      return block.type === "toolCall" ? [{ call: block.id, name: block.name, args: block.arguments, at }] : []
    })
  })
}

/** Blocks as they are compared: without the marks of contexts, and what agents put around texts. */
export function comparable(blocks: readonly Block[], words: readonly RegExp[]): Block[] {
  return blocks.map(({ isError: _, isSummary: __, at: ___, ...block }) => {
    if (block.text === undefined) return block
    return { ...block, text: words.reduce((text, each) => text.replaceAll(each, ""), trimmed(block.text)).trim() }
  })
}

/** Blocks in which what a message says stands before its calls. @param isJoined whether its texts are one, before its pictures */
export function callsLast(blocks: readonly Block[], isJoined = false): Block[] {
  return messagesOf(blocks).flatMap((message) => {
    const calls = message.filter(({ call }) => call !== undefined)
    const said = message.filter(({ call }) => call === undefined)
    const [first, ...more] = said.filter(({ text, result }) => text !== undefined && result === undefined)
    if (!isJoined || !first) return [...said, ...calls]
    const text = [first, ...more].map(({ text }) => text).join("\n")
    return [{ ...first, text }, ...said.filter((block) => block !== first && !more.includes(block)), ...calls]
  })
}

/** Blocks in which the results of one reply have the order of its calls, for theirs makes no difference. @param blocks whose ids are the places of calls */
export function resultsInOrder(blocks: readonly Block[]): Block[] {
  const ordered = [...blocks]
  for (let start = 0; start < ordered.length; start++) {
    let end = start
    while (ordered[end]?.result !== undefined) end++
    const run = ordered.slice(start, end).sort((a, b) => Number(a.result) - Number(b.result))
    ordered.splice(start, run.length, ...run)
    start = end
  }
  return ordered
}

/** A result whose pictures no model gets, as copies have it: where it is nothing else, a text says so. @param reason of the receipt */
export function withImageNote(block: Block, reason: string): Block {
  return block.text === "" && Number(block.images) > 0 ? { ...block, text: `[Image left out: ${reason}.]` } : block
}

function messagesOf(blocks: readonly Block[]): Block[][] {
  const messages: Block[][] = []
  for (const block of blocks) {
    const last = messages.at(-1)
    if (last && block.at !== undefined && last[0]?.at === block.at) last.push(block)
    else messages.push([block])
  }
  return messages
}

/** The blocks of messages of Anthropic's API. */
export function blocksOfMessages(messages: readonly Json[]): Block[] {
  return messages.flatMap(({ role, content }) =>
    blocksOf(content).flatMap((block): Block[] => {
      if (block.type === "text") return [{ role, text: block.text }]
      if (block.type === "image") return [{ role, image: true }]
      if (block.type === "tool_result") return [resultBlock(block.tool_use_id, block.content)]
      return block.type === "tool_use" ? [{ call: block.id, name: block.name, args: block.input }] : []
    }),
  )
}

/** The blocks of the input of OpenAI's Responses API. */
export function blocksOfInput(input: readonly Json[]): Block[] {
  return input.flatMap(
    ({
      type = "message",
      role,
      content,
      call_id,
      name: tool,
      namespace,
      arguments: args,
      output,
      input: text,
    }): Block[] => {
      const name = namespace === undefined ? tool : `${namespace}__${tool}`
      if (type === "message")
        return blocksOf(content).map((part) =>
          typeof part.text === "string" ? { role, text: part.text } : { role, image: true },
        )
      if (type === "function_call") return [{ call: call_id, name, args: JSON.parse(String(args)) }]
      if (type === "custom_tool_call") return [{ call: call_id, name, args: { input: text } }]
      return String(type).endsWith("_output") ? [resultBlock(call_id, output)] : []
    },
  )
}

/** The blocks of contents of Gemini's API. */
export function blocksOfContents(contents: readonly Json[]): Block[] {
  return contents.flatMap(({ role, parts }) =>
    (parts as Record<string, Json>[]).map(({ text, functionCall, functionResponse }): Block => {
      const said = role === "model" ? "assistant" : role
      if (text !== undefined) return { role: said, text }
      if (functionCall) return { call: functionCall.id, name: functionCall.name, args: functionCall.args }
      if (!functionResponse) return { role: said, image: true }
      const { output, error } = functionResponse.response as Json
      return resultBlock(functionResponse.id, error ?? output)
    }),
  )
}

function resultBlock(id: unknown, content: unknown): Block {
  const images = blocksOf(content).filter(({ type }) => /image/.test(String(type))).length
  return { result: id, text: textOf(content), images }
}

/** The words around a summary as a message for any model (docs/FORMAT.md, section 6). */
const SUMMARY = /^The conversation history before[^\n]*:\n\n<summary>\n([\s\S]*)<\/summary>$/

function trimmed(text: unknown): string {
  const said = String(text).trim()
  return SUMMARY.exec(said)?.[1]?.trim() ?? said
}
