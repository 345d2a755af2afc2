import type { Diagnostic } from "../entry/diagnostic.js"
import { isEntry } from "../entry/entry.js"
import { isJsonObject } from "../entry/json-object.js"
import type { Message } from "../entry/message.js"
import type { EntryPath } from "./entry-path.js"

/** A change of an entry's message: null omits it, otherwise its content is replaced. */
export type Edit = { readonly content: unknown } | null

export function isEdit(replacement: unknown): replacement is Edit {
  return replacement === null || isJsonObject(replacement)
}

/**
 * The last edit of each target on the path (FORMAT.md, section 6, step 5).
 * @param from index of the first entry that the model still sees: earlier edits have only unseen targets
 */
export function editsOn(path: EntryPath, from = 0): { edits: Map<string, Edit>; diagnostics: Diagnostic[] } {
  const edits = new Map<string, Edit>()
  const diagnostics: Diagnostic[] = []
  for (let index = path.length - 1; index >= from; index--) {
    if (path.type(index) !== "context_edit") continue
    const entry = path.entry(index)
    if (!isEntry(entry, "context_edit") || edits.has(entry.targetId)) continue
    const { replacement } = entry
    if (isEdit(replacement)) edits.set(entry.targetId, replacement)
    else
      diagnostics.push({
        kind: "invalid-field",
        entryId: entry.id,
        message: `Edit ${entry.id} has no replacement; it is ignored.`,
      })
  }
  return { edits, diagnostics }
}

/** The message with its content replaced, as a new object. A string becomes a text block where the role asks for blocks. */
export function applyEdit(message: Message, edit: NonNullable<Edit>): Message {
  const needsBlocks = message.role === "assistant" || message.role === "toolResult"
  const text = needsBlocks && typeof edit.content === "string" ? edit.content : undefined
  return { ...message, content: text === undefined ? edit.content : [{ type: "text", text }] } as Message
}
