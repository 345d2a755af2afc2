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

/** What the model gets (FORMAT.md, section 6). */
export interface SessionContext extends ContextSettings {
  messages: Message[]
  /** `entries[i]` is the id of the entry that gave `messages[i]`. */
  entries: string[]
  diagnostics: Diagnostic[]
}

/** For whom a context is. */
export interface ContextOptions {
  /** Ask for the context of this provider: what its own server-side compaction replaced is then left out. */
  provider?: string
}

/**
 * The context at a leaf: pure, and without copying or changing any entry.
 * @param leafId null gives an empty context; undefined or an unknown id means the last entry
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
 * The same for a path that is known already.
 * @param checkpoint the settings at the path's end, where they are known already
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

/** Whether the provider asked for has its own compacted history in place of the kept entries. */
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
