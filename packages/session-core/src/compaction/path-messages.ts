import { applyEdit, editsOn } from "../context/edits.js"
import { entryMessage, withContent } from "../context/entry-message.js"
import type { EntryPath } from "../context/entry-path.js"
import type { Message } from "../entry/message.js"

/**
 * For each entry of a path the message that the model gets from it, with edits applied; undefined for bookkeeping and compactions.
 * @param from index of the first entry that the model still sees; entries before it are not read, and give undefined
 */
export function pathMessages(path: EntryPath, from = 0): (Message | undefined)[] {
  const { edits } = editsOn(path, from)
  return Array.from({ length: path.length }, (_, index) => {
    const edit = edits.get(path.id(index))
    const message = index < from || edit === null ? undefined : entryMessage(path.entry(index))
    return message && edit ? withContent(applyEdit(message, edit)) : message
  })
}
