import { isBlank } from "./text-rules.js"

const BLOCKS: Record<string, readonly unknown[]> = {
  user: ["text", "image"],
  toolResult: ["text", "image"],
  assistant: ["text", "thinking", "redactedThinking", "toolCall"],
  system: ["text"],
  developer: ["text"],
}

const IMAGES: readonly unknown[] = ["image/png", "image/jpeg", "image/gif", "image/webp"]

/** What is wrong with a block in a message of that role. */
export function blockFaults(role: string, block: unknown): string[] {
  if (!isObject(block)) return [`${role}: a block that is no object`]
  if (!BLOCKS[role]?.includes(block.type)) return [`${role}: a block of type ${block.type}`]
  if (block.type === "text" && isBlank(String(block.text))) return [`${role}: a blank text`]
  if (block.type === "thinking" && isBlank(String(block.thinking)) && !block.thinkingSignature) return ["no thinking"]
  if (block.type === "image") return imageFaults(block)
  return block.type === "toolCall" && !isSendable(block.arguments) ? ["arguments that cannot be sent"] : []
}

function imageFaults({ data, mimeType }: Record<string, unknown>): string[] {
  if (!IMAGES.includes(mimeType)) return [`an image of type ${mimeType}`]
  const png = String(data).startsWith("iVBORw0KGgo")
  if (png !== (mimeType === "image/png") && String(data).length > 40) return [`an image named as ${mimeType}`]
  return /^[A-Za-z0-9+/]+=*$/.test(String(data)) ? [] : ["an image that is not base64"]
}

/** Nested by the hundred, arguments are more than any tool asks for, and more than servers parse. */
function isSendable(value: unknown): boolean {
  return isObject(value) && depthOf(value) <= 501
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
