interface SystemMessage {
  readonly role: "system"
  readonly content?: unknown
  readonly sections?: Readonly<Record<string, unknown>>
  readonly toolsAdded?: readonly { readonly name: string }[]
  readonly toolsRemoved?: readonly { readonly name: string }[]
  readonly timestamp?: number
}

/**
 * All system messages of a context as one, as pi 1.x stores it in a compaction: what precedes the compaction gives no system message any
 * more. Undefined where there is none, as in pi 0.74.
 */
export function systemMessageOf(messages: readonly unknown[], timestamp: string): object | undefined {
  const found = messages.filter(isSystem)
  if (found.length === 0) return undefined
  const sections = new Map<string, unknown>()
  const tools = new Map<string, unknown>()
  for (const message of found) {
    for (const [name, value] of Object.entries(message.sections ?? {})) {
      if (value === null) sections.delete(name)
      else sections.set(name, value)
    }
    for (const { name } of message.toolsRemoved ?? []) tools.delete(name)
    for (const tool of message.toolsAdded ?? []) tools.set(tool.name, tool)
  }
  const texts = found.map(({ content }) => textOf(content)).filter((text) => text !== "")
  return {
    role: "system",
    content: texts.join("\n\n"),
    ...(sections.size > 0 && { sections: Object.fromEntries(sections) }),
    ...(tools.size > 0 && { toolsAdded: [...tools.values()] }),
    timestamp: Date.parse(timestamp),
  }
}

function isSystem(message: unknown): message is SystemMessage {
  return (message as { role?: unknown } | undefined)?.role === "system"
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.flatMap((block) => (block?.type === "text" ? [String(block.text)] : [])).join("\n")
}
