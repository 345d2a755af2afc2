import type { Diagnostic } from "../entry/diagnostic.js"
import type { SessionEntry } from "../entry/entry.js"
import { isJsonObject } from "../entry/json-object.js"
import type { Message } from "../entry/message.js"
import type { Checkpoint, ContextSettings } from "../entry/settings.js"
import { EntryTree } from "../tree/entry-tree.js"
import { type ContextBoundary, contextBoundary } from "./boundary.js"
import { applyEdit, editsOn } from "./edits.js"
import { compactionMessage, entryMessage, withContent } from "./entry-message.js"
import { type EntryPath, pathOfEntries } from "./entry-path.js"
import { settingsAt } from "./settings.js"

/** The context for a model: messages and settings (FORMAT.md, section 6). */
export interface SessionContext extends ContextSettings {
  messages: Message[]
  /** `entries[i]` is the id of the entry that `messages[i]` comes from. */
  entries: string[]
  diagnostics: Diagnostic[]
}

/** Options for building a context. */
export interface ContextOptions {
  /** The provider that gets the context: entries that its own server-side compaction replaced are left out. */
  provider?: string
}

/**
 * Builds the context at a leaf. Pure: copies and changes no entry.
 * @param leafId null for an empty context; undefined or an unknown id for the last entry
 */
export function buildSessionContext(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  options: ContextOptions = {},
): SessionContext {
  if (leafId === null) return contextOf(pathOfEntries([]), options)
  const tree = new EntryTree(entries)
  const leaf = (leafId === undefined ? undefined : tree.ordinalOf(leafId)) ?? entries.length - 1
  const path = leaf < 0 ? [] : tree.pathTo(leaf).flatMap((ordinal) => entries[ordinal] ?? [])
  return contextOf(pathOfEntries(path), options)
}

/**
 * The context at the end of a path.
 * @param checkpoint the settings at the end of the path, if they are known
 */
export function contextOf(
  path: EntryPath,
  options: ContextOptions = {},
  checkpoint: Checkpoint = settingsAt(path),
): SessionContext {
  const boundary = contextBoundary(path)
  const { defaultModelIsExplicit: _, ...settings } = checkpoint
  const { edits, diagnostics } = editsOn(path, boundary.compaction ? boundary.kept.from : boundary.rest)
  const messages: Message[] = []
  const entries: string[] = []
  const give = (entryId: string, message: Message | undefined): void => {
    if (!message) return
    messages.push(message)
    entries.push(entryId)
  }
  const giveEntry = (index: number): void => {
    const edit = edits.get(path.id(index))
    if (edit === null) return
    const entry = path.entry(index)
    const message = entryMessage(entry)
    if (entry.type === "message" && !message) diagnostics.push(noMessage(entry))
    give(entry.id, message && edit ? withContent(applyEdit(message, edit)) : message)
  }

  const { compaction } = boundary
  if (compaction) {
    const { systemMessage } = compaction
    if (isJsonObject(systemMessage)) give(compaction.id, withContent(systemMessage))
    give(compaction.id, compactionMessage(compaction))
  }
  if (!isReplacedFor(options.provider, boundary)) {
    for (let index = boundary.kept.from; index < boundary.kept.to; index++) giveEntry(index)
  }
  for (let index = boundary.rest; index < path.length; index++) giveEntry(index)
  return { ...settings, messages, entries, diagnostics: [...boundary.diagnostics, ...diagnostics] }
}

/** Whether the provider has its own compacted history, which replaces the kept entries. */
function isReplacedFor(provider: string | undefined, { compaction }: ContextBoundary): boolean {
  return (
    provider !== undefined &&
    compaction !== undefined &&
    compactionMessage(compaction).providerPayload?.provider === provider
  )
}

function noMessage({ id }: SessionEntry): Diagnostic {
  return {
    kind: "invalid-field",
    entryId: id,
    message: `Entry ${id} is of type message, but holds none; it gives nothing.`,
  }
}
