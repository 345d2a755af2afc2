import { applyEdit, editsOn } from "../context/edits.js"
import { entryMessage, withContent } from "../context/entry-message.js"
import { pathOfEntries } from "../context/entry-path.js"
import type { SessionEntry } from "../entry/entry.js"
import type { Message } from "../entry/message.js"

/** For each entry of a path the message that the model gets of it, edited as it gets it; undefined for bookkeeping and compactions. */
export function pathMessages(path: readonly SessionEntry[]): (Message | undefined)[] {
  const { edits } = editsOn(pathOfEntries(path))
  return path.map((entry) => {
    const edit = edits.get(entry.id)
    const message = edit === null ? undefined : entryMessage(entry)
    return message && edit ? withContent(applyEdit(message, edit)) : message
  })
}
