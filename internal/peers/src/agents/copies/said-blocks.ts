import type { Message } from "@treelog/session-core"
import { convertToLlm, repairContext } from "@treelog/session-core/messages"
import type { Block } from "../frame/compare-blocks.js"
import { blocksOf, type Json, textOf } from "../model/blocks.js"

// What a model gets of a session, in one form for all APIs: texts with their role, calls, results. Without thinking, which only its own model gets, and
// without marks of failures, which not all APIs have: those of contexts, and of summaries, are for what agents send otherwise of these.

/** What an agent would send of messages, each call with its result. */
export function blocksOfContext(messages: readonly Message[]): Block[] {
  const all = messages.flatMap((message) => {
    const isSummary = message.role === "compactionSummary"
    return convertToLlm([message]).messages.map((said) => (isSummary ? { ...said, isSummary } : said))
  })
  return repairContext(all, { turns: false }).messages.flatMap(({ role, content, ...message }): Block[] => {
    // Each agent has its own.
    if (role === "system" || role === "developer") return []
    const { isSummary } = message as Json
    const blocks = blocksOf(content)
    if (role === "toolResult") {
      const { toolCallId, isError } = message as Json
      return [{ ...resultBlock(toolCallId, blocks), ...(isError === true && { isError }) }]
    }
    return blocks.flatMap((block): Block[] => {
      if (block.type === "text") return [{ role, text: trimmed(block.text), ...(isSummary === true && { isSummary }) }]
      if (block.type === "image") return [{ role, image: true }]
      return block.type === "toolCall" ? [{ call: block.id, name: block.name, args: block.arguments }] : []
    })
  })
}

/** The blocks of messages of Anthropic's API. */
export function blocksOfMessages(messages: readonly Json[]): Block[] {
  return messages.flatMap(({ role, content }) =>
    blocksOf(content).flatMap((block): Block[] => {
      if (block.type === "text") return [{ role, text: trimmed(block.text) }]
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
          typeof part.text === "string" ? { role, text: trimmed(part.text) } : { role, image: true },
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
      if (text !== undefined) return { role: said, text: trimmed(text) }
      if (functionCall) return { call: functionCall.id, name: functionCall.name, args: functionCall.args }
      if (!functionResponse) return { role: said, image: true }
      const { output, error } = functionResponse.response as Json
      return resultBlock(functionResponse.id, error ?? output)
    }),
  )
}

function resultBlock(id: unknown, content: unknown): Block {
  const images = blocksOf(content).filter(({ type }) => /image/.test(String(type))).length
  return { result: id, text: trimmed(textOf(content)), images }
}

/** The words around a summary as a message for any model (docs/FORMAT.md, section 6). */
const SUMMARY = /^The conversation history before[^\n]*:\n\n<summary>\n([\s\S]*)<\/summary>$/

function trimmed(text: unknown): string {
  const said = String(text).trim()
  return SUMMARY.exec(said)?.[1]?.trim() ?? said
}
