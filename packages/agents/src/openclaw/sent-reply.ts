import { type Json, objectIn, objectsIn, textIn } from "../kit.js"

/** What OpenClaw sends for a reply that failed or was stopped, where it has said something. */
const FAILED = "[This turn failed before it completed. Do not redo its work without confirming with the user first.]"
/** What it stores for one that failed before it said anything. */
const NOTHING = "[assistant turn failed before producing content]"
/** What a model answers to say nothing. */
const SILENT = /^(?:\s*NO_REPLY)+\s*$/i

const NOT_FOR_MODELS: ReadonlySet<unknown> = new Set(["delivery-mirror", "gateway-injected"])

/** What the model gets of a reply, where that is not what is stored: other blocks, or null for nothing. */
export function sentReply(reply: Json): readonly Json[] | null | undefined {
  const { provider, model, stopReason } = reply
  // OpenClaw's own copies of what it delivered.
  const isCopy = textIn(objectIn(reply, "openclawDeliveryMirror") ?? {}, "kind") !== undefined
  if (isCopy || (provider === "openclaw" && NOT_FOR_MODELS.has(model))) return null
  const blocks = objectsIn(reply.content)
  const isSaid = ({ type, text }: Json): boolean => type === "text" && typeof text === "string" && text.trim() !== ""
  if (stopReason === "error" || stopReason === "aborted") {
    const hasText = blocks.some((block) => isSaid(block) && String(block.text).trim() !== NOTHING)
    return hasText && !hasCalls(reply) ? [{ type: "text", text: FAILED }] : null
  }
  const isThought = ({ type }: Json): boolean => type === "thinking"
  if (stopReason === "length" && blocks.every((block) => isThought(block) || !isSaid(block)) && !hasCalls(reply))
    return null
  const sent = blocks.filter((block) => !isSaid(block) || !SILENT.test(String(block.text)))
  if (sent.length === blocks.length) return undefined
  return sent.every(isThought) ? null : sent
}

export function hasCalls({ content }: Json): boolean {
  return objectsIn(content).some(({ type }) => type === "toolCall")
}
