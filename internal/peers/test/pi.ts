import { copyFileSync } from "node:fs"
import type { Message, SessionEntry, SessionHeader } from "@treelog/session-core"

/** As much of pi's SessionManager as the comparisons ask for. */
export interface PiSession {
  getHeader(): SessionHeader
  getEntries(): SessionEntry[]
  getEntry(id: string): SessionEntry | undefined
  getLeafId(): string | null
  getBranch(fromId?: string): SessionEntry[]
  getTree(): PiTreeNode[]
  getLabel(id: string): string | undefined
  getSessionName(): string | undefined
  getSessionFile(): string
  buildSessionContext(): PiContext
  appendMessage(message: object): string
  appendModelChange(provider: string, modelId: string): string
  appendThinkingLevelChange(level: string): string
  appendCompaction(summary: string, firstKeptEntryId: string, tokensBefore: number, details?: object): string
  appendCustomEntry(customType: string, data?: unknown): string
  appendCustomMessageEntry(customType: string, content: unknown, display: boolean, details?: unknown): string
  appendLabelChange(targetId: string, label: string | undefined): string
  appendSessionInfo(name: string): string
  branch(id: string): void
  resetLeaf(): void
  branchWithSummary(targetId: string | null, summary: string): string
  createBranchedSession(leafId: string): string | undefined
}

export interface PiTreeNode {
  readonly entry: SessionEntry
  readonly children: PiTreeNode[]
  readonly label?: string
}

export interface PiContext {
  readonly messages: Message[]
  readonly thinkingLevel: string
  readonly model: { provider: string; modelId: string } | null
}

interface PiModule {
  readonly SessionManager: { open(path: string): PiSession; create(cwd: string, sessionDir: string): PiSession }
  buildSessionContext(entries: readonly SessionEntry[], leafId?: string | null): PiContext
}

// pi exports only its front door, which starts half of the agent. A path to the module itself goes past `exports`.
const MODULE = new URL("../node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js", import.meta.url)

/** The real pi 0.74.2. */
export const pi = (await import(MODULE.href)) as PiModule

/** pi rewrites what it migrates, so it gets a copy of its own. */
export function openCopyInPi(path: string, copy = `${path}.pi.jsonl`): PiSession {
  copyFileSync(path, copy)
  return pi.SessionManager.open(copy)
}
