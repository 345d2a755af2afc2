import type { SessionEntry } from "@treelog/session-core"
import { kindOf } from "@treelog/session-core/adapter"
import { blocksOf, isObject } from "./content-blocks.js"

/** What a tree shows: those of pi. */
export const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"] as const

export type TreeFilter = (typeof TREE_FILTERS)[number]

/** What an entry is for a filter: `tool` is a tool's result, or an answer of nothing but calls; `other` is bookkeeping. */
export type TreePart = "user" | "tool" | "said" | "other"

export function treePartOf(entry: SessionEntry): TreePart {
  if (!kindOf(entry).conversation) return "other"
  const { message } = entry as { message?: unknown }
  if (entry.type !== "message" || !isObject(message)) return "said"
  if (message.role === "user") return "user"
  if (message.role === "toolResult") return "tool"
  return message.role === "assistant" && isOnlyCalls(message.content) ? "tool" : "said"
}

function isOnlyCalls(content: unknown): boolean {
  const blocks = blocksOf(content).filter(({ type, text }) => type !== "thinking" && text !== "")
  return blocks.length > 0 && blocks.every(({ type }) => type === "toolCall")
}

export function isShownBy(filter: TreeFilter, part: TreePart, label: string | undefined): boolean {
  switch (filter) {
    case "default":
      return part !== "other"
    case "no-tools":
      return part !== "other" && part !== "tool"
    case "user-only":
      return part === "user"
    case "labeled-only":
      return label !== undefined
    case "all":
      return true
  }
}
