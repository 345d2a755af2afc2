import type { Message, SessionContext, SessionEntry, SessionTreeNode } from "@treelog/session-core"
import type { PiContext, PiTreeNode } from "./pi.js"

/** Of treelog's context, what pi's holds too: messages, thinking level and model. */
export function asPiContext({ messages, thinkingLevel, model }: SessionContext): PiContext {
  return { messages: messages.map(plain), thinkingLevel, model }
}

/** pi gives keys that are undefined, which a file cannot hold. */
export function plainContext({ messages, thinkingLevel, model }: PiContext): PiContext {
  return { messages: messages.map(plain), thinkingLevel, model }
}

/** The ids of all entries that no other one has as its parent, in file order. */
export function leavesOf(entries: readonly SessionEntry[]): string[] {
  const parents = new Set(entries.map(({ parentId }) => parentId))
  return entries.filter(({ id }) => !parents.has(id)).map(({ id }) => id)
}

export interface Outline {
  readonly id: string
  readonly label: string | undefined
  readonly depth: number
}

/** A tree as a list, without recursion: trees are deep. */
export function outlineOf(roots: readonly (SessionTreeNode | PiTreeNode)[]): Outline[] {
  const outline: Outline[] = []
  const open = [...roots].reverse().map((node) => ({ node, depth: 0 }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next
    outline.push({ id: node.entry.id, label: node.label, depth })
    for (const child of [...node.children].reverse()) open.push({ node: child, depth: depth + 1 })
  }
  return outline
}

function plain(message: Message): Message {
  return JSON.parse(JSON.stringify(message)) as Message
}
