import type { Message } from "../entry/message.js"
import { isJsonObject, objectsIn, textIn, valueText } from "../entry/values.js"

interface SystemMessage {
  readonly role: "system"
  readonly [field: string]: unknown
}

export function isSystemMessage(message: unknown): message is SystemMessage {
  return isJsonObject(message) && message.role === "system"
}

/**
 * All system messages of a context as one, as pi 1.x stores it in a compaction: their contents one after another, each section as it was set last,
 * and the tools that remain. Undefined where there is none.
 */
export function combinedSystemMessage(messages: readonly unknown[]): Message | undefined {
  const found = messages.filter(isSystemMessage)
  const [first] = found
  if (!first) return undefined
  const sections = new Map<string, unknown>()
  const tools = new Map<unknown, unknown>()
  for (const message of found) {
    for (const [name, value] of Object.entries(isJsonObject(message.sections) ? message.sections : {})) {
      if (value === null) sections.delete(name)
      else sections.set(name, value)
    }
    for (const { name } of objectsIn(message.toolsRemoved)) tools.delete(name)
    for (const tool of objectsIn(message.toolsAdded)) tools.set(tool.name, tool)
  }
  const texts = found.map(({ content }) => systemContentText(content)).filter((text) => text !== "")
  return {
    role: "system",
    content: texts.join("\n\n"),
    ...(sections.size > 0 && { sections: Object.fromEntries(sections) }),
    ...(tools.size > 0 && { toolsAdded: [...tools.values()] }),
    ...(first.timestamp !== undefined && { timestamp: first.timestamp }),
  } as Message
}

/**
 * The text of a system message, as pi 1.x renders it: its content and its sections. In a later message, sections say what of the first one
 * they change.
 */
export function systemText({ content, sections }: SystemMessage, isFirst: boolean): string {
  const texts = Object.entries(isJsonObject(sections) ? sections : {}).map(([name, text]) => {
    if (isFirst) return textIn(text)
    return text === null
      ? `Removed system prompt section "${name}".`
      : `Updated system prompt section "${name}":\n\n${text}`
  })
  return [systemContentText(content), ...texts].filter((text) => text !== "").join("\n\n")
}

/** A message whose sections are part of its content; any other one is the same object. @param index among those that the model gets */
export function withoutSections<M>(message: M, index: number): M {
  if (!isSystemMessage(message) || !isJsonObject(message.sections)) return message
  const { sections: _, ...rest } = message
  return { ...rest, content: systemText(message, index === 0) } as M
}

function systemContentText(content: unknown): string {
  if (typeof content === "string") return content
  return objectsIn(content)
    .flatMap(({ type, text }) => (type === "text" ? [valueText(text)] : []))
    .join("\n")
}
