import { compactionMessage } from "../context/entry-message.js"
import { pathOfEntries } from "../context/entry-path.js"
import { isEntry, type SessionEntry } from "../entry/entry.js"
import type { Message } from "../entry/message.js"
import { estimateTokens } from "./estimate-tokens.js"
import { type FileLists, FileOperations } from "./file-operations.js"
import { pathMessages } from "./path-messages.js"

/** What is to be said of a branch that is left. */
export interface BranchPreparation {
  /** Oldest first. */
  readonly messages: Message[]
  /** Index of the entry that gave the oldest of them; the number of entries where there is none. */
  readonly from: number
  /** Size of the messages, in tokens. */
  readonly totalTokens: number
  readonly files: FileLists
}

/** How full the budget may be for a summary that does not fit to be taken all the same. */
const SUMMARY_BUDGET_SHARE = 0.9

/**
 * What was left when one goes from the end of one path to the end of another: the entries below their deepest common ancestor,
 * oldest first (FORMAT.md, section 9). Both paths begin at a root.
 */
export function abandonedEntries<Entry extends { readonly id: string }>(
  leftPath: readonly Entry[],
  targetPath: readonly { readonly id: string }[],
): Entry[] {
  let shared = 0
  while (shared < leftPath.length && leftPath[shared]?.id === targetPath[shared]?.id) shared++
  return leftPath.slice(shared)
}

/**
 * The messages of a branch that is left, the newest first as the budget allows; the newest one always. Tool results are left
 * out: the calls tell what was done. The lists of files cover the whole branch, and what summaries on it carry.
 * @param tokenBudget how many tokens the messages may take; 0 for as many as there are
 */
export function prepareBranchSummary(entries: readonly SessionEntry[], tokenBudget = 0): BranchPreparation {
  const files = new FileOperations()
  for (const entry of entries) files.addEntry(entry)
  const ofEntries = pathMessages(pathOfEntries(entries))
  const messages: Message[] = []
  let totalTokens = 0
  let from = entries.length
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index] as SessionEntry
    const message = isEntry(entry, "compaction") ? compactionMessage(entry) : ofEntries[index]
    if (!message || message.role === "toolResult") continue
    const tokens = estimateTokens(message)
    const isFull = tokenBudget > 0 && totalTokens + tokens > tokenBudget && messages.length > 0
    const isSummary = entry.type === "compaction" || entry.type === "branch_summary"
    if (isFull && !(isSummary && totalTokens < tokenBudget * SUMMARY_BUDGET_SHARE)) break
    messages.push(message)
    from = index
    totalTokens += tokens
    if (isFull) break
  }
  return { messages: messages.reverse(), from, totalTokens, files: files.lists() }
}
