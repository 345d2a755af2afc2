import { estimateTokens } from "../context/context-tokens.js"
import { pathOfEntries } from "../context/entry-path.js"
import { type FileLists, FileOperations } from "../context/file-operations.js"
import { compactionMessage, pathMessages } from "../context/path-messages.js"
import { isEntry, type SessionEntry } from "../entry/entry.js"
import type { Message } from "../entry/message.js"

/** The input for the summary of an abandoned branch. */
export interface BranchPreparation {
  /** The messages to summarize, oldest first. */
  readonly messages: Message[]
  /** Index of the entry of the oldest message; the number of entries when there are no messages. */
  readonly from: number
  /** Size of the messages, in tokens. */
  readonly totalTokens: number
  readonly files: FileLists
}

/** An earlier summary that exceeds the budget is still included while less than this share of the budget is used. */
const SUMMARY_BUDGET_SHARE = 0.9

/**
 * The entries that are abandoned by going from the end of one path to the end of another: those below their deepest common
 * ancestor, oldest first (FORMAT.md, section 9). Both paths start at a root.
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
 * Selects the messages of an abandoned branch to summarize: from the newest back while they fit the budget, and at least the
 * newest one. Tool results are left out, since the calls show what was done. The lists of files cover the whole branch, with the
 * lists of summaries on it.
 * @param entries the abandoned entries, oldest first, as `abandonedEntries` returns them
 * @param tokenBudget most tokens of the messages; 0 for no limit
 */
export function prepareBranchSummary(entries: readonly SessionEntry[], tokenBudget = 0): BranchPreparation {
  const files = new FileOperations()
  for (const entry of entries) files.addEntry(entry)
  const ofEntries = pathMessages(pathOfEntries(entries)).messages
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
