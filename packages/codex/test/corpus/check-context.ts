import { isDeepStrictEqual } from "node:util"
import { buildSessionContext } from "@treelog/session-core"
import { toOpenAIInput } from "@treelog/session-core/messages"
import type { CodexSession } from "../../src/index.js"
import type { RolloutFacts } from "./check-facts.js"

type Item = Record<string, unknown>

/** Compares the input that the context of a session gives with the one that the program sent. */
export function checkContext(
  { entries }: CodexSession,
  { modelProvider, contextItems, golden }: RolloutFacts,
  lastInput: readonly Item[],
  report: (what: string) => void,
): void {
  if (!golden) return
  const provider = modelProvider ?? "openai"
  const { messages, diagnostics } = buildSessionContext(entries, undefined, {
    provider,
  })
  for (const { message } of diagnostics) report(message)
  const ours = toOpenAIInput(messages, { repair: false, target: { provider } }) as unknown as Item[]
  const theirs = lastInput.slice(golden.leadingBaseInstructions)
  if (ours.length !== contextItems) report(`the context has ${ours.length} items, not ${contextItems}`)
  if (ours.length - theirs.length !== golden.itemsRecordedBehindIt)
    report(`${ours.length - theirs.length} items follow the last input, not ${golden.itemsRecordedBehindIt}`)
  for (const [index, item] of theirs.entries()) {
    const [mine, sent] = [comparable(ours[index] ?? {}), comparable(item)]
    if (isDeepStrictEqual(mine, sent)) continue
    report(`item ${index} is ${JSON.stringify(mine).slice(0, 300)}, not ${JSON.stringify(sent).slice(0, 300)}`)
  }
}

/** An item without the differences that packages/codex/README.md lists. */
function comparable(item: Item): Item {
  const { id: _, status: _status, phase: _phase, internal_chat_message_metadata_passthrough: _passed, ...rest } = item
  const type = rest.type ?? "message"
  switch (type) {
    case "message":
      return { type, role: rest.role, content: content(rest.role, rest.content) }
    case "function_call":
      return { ...rest, type, arguments: parsed(String(rest.arguments)) }
    case "function_call_output":
    case "custom_tool_call_output":
      return { ...rest, type, output: output(rest.output) }
    case "reasoning":
      return { type, summary: rest.summary, encrypted_content: rest.encrypted_content }
    default:
      return { ...rest, type }
  }
}

function content(role: unknown, value: unknown): unknown {
  if (role === "user") return parts(value)
  return typeof value === "string" ? value : (value as { text: string }[]).map(({ text }) => text).join("\n")
}

/** Several texts become one. */
function output(value: unknown): unknown {
  const list = parts(value)
  if (!Array.isArray(list) || list.some(({ text }) => text === undefined)) return list
  return list.map(({ text }) => text).join("\n")
}

function parts(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map(({ type, text, image_url }) => (image_url === undefined ? { type, text } : { type, image_url }))
}

function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text)
    const { input, ...others } = value
    return typeof input === "string" && Object.keys(others).length === 0 && !isJson(input) ? input : value
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
