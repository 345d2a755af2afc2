import type { SessionContext } from "@treelog/session-core"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import type { Block } from "../frame/compare-blocks.js"
import { blocksOf, type Json, textOf } from "../model/blocks.js"

// What a model gets of a session, in one form for all APIs: texts with their role, calls, results. Without thinking, which only its own model gets, and
// without marks of failures, which not all APIs have.

/** Names and arguments of calls as another agent has them, where it has others. */
export type Renaming = (name: string, args: Json) => readonly [name: string, args: Json]

/** What Claude Code would send of a session. */
export function blocksOfContext(
  context: Pick<SessionContext, "messages">,
  renamed: Renaming = (...same) => same,
): Block[] {
  return blocksOfMessages(toAnthropicMessages(context).messages as unknown as Json[], renamed)
}

/** The blocks of messages of Anthropic's API. */
export function blocksOfMessages(messages: readonly Json[], renamed: Renaming = (...same) => same): Block[] {
  return messages.flatMap(({ role, content }) =>
    blocksOf(content).flatMap((block): Block[] => {
      if (block.type === "text") return [{ role, text: trimmed(block.text) }]
      if (block.type === "image") return [{ role, image: true }]
      if (block.type === "tool_result") return [resultBlock(block.tool_use_id, block.content)]
      if (block.type !== "tool_use") return []
      const [name, args] = renamed(String(block.name), block.input as Json)
      return [{ call: idOf(block.id), name, args }]
    }),
  )
}

/** The blocks of the input of OpenAI's Responses API. */
export function blocksOfInput(input: readonly Json[]): Block[] {
  return input.flatMap(
    ({ type = "message", role, content, call_id, name, arguments: args, output, input: text }): Block[] => {
      if (type === "message")
        return blocksOf(content).map((part) =>
          typeof part.text === "string" ? { role, text: trimmed(part.text) } : { role, image: true },
        )
      if (type === "function_call") return [{ call: idOf(call_id), name, args: JSON.parse(String(args)) }]
      if (type === "custom_tool_call") return [{ call: idOf(call_id), name, args: { input: text } }]
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
      if (functionCall) return { call: idOf(functionCall.id), name: functionCall.name, args: functionCall.args }
      if (!functionResponse) return { role: said, image: true }
      const { output, error } = functionResponse.response as Json
      return resultBlock(functionResponse.id, error ?? output)
    }),
  )
}

function resultBlock(id: unknown, content: unknown): Block {
  const images = blocksOf(content).filter(({ type }) => /image/.test(String(type))).length
  return { result: idOf(id), text: trimmed(textOf(content)), images }
}

/** One that not every API accepts is another one in a copy. */
function idOf(id: unknown): string {
  return /^toolu_\d+$/.test(String(id)) ? String(id) : "another id"
}

/** The words around a summary as a message for any model (docs/FORMAT.md, section 6). */
const SUMMARY = /^The conversation history before[^\n]*:\n\n<summary>\n([\s\S]*)<\/summary>$/

function trimmed(text: unknown): string {
  const said = String(text).trim()
  return SUMMARY.exec(said)?.[1]?.trim() ?? said
}
