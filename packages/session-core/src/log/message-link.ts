import {
  BACK_BEGIN,
  BACK_END,
  FRONT,
  hasForm,
  ID_IN_END,
  ID_IN_FRONT,
  ID_LENGTH,
  isInFront,
  PARENT_BEHIND,
} from "./message-form.js"
import { mayRepeatHead } from "./repeated-key.js"

const CLOSE_BRACE = 0x7d

/**
 * The ids of a message in one of the usual forms, where everything has its fixed place; `usualHead` reads the same of it. It is
 * read where a session is passed by, without making anything of it.
 */
export class MessageLink {
  /** Keys of ids. */
  id = 0
  parentId = 0

  /** False where the line in `[from, to)` has another form. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    const at = idOfMessage(bytes, from, to)
    if (at === -1) return false
    this.id = idAt(bytes, at)
    this.parentId = idAt(bytes, at + PARENT_BEHIND)
    return true
  }
}

/** Where the id begins; -1 also where a key of the head may stand in the line again. */
function idOfMessage(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[to - 1] !== CLOSE_BRACE) return -1
  if (isInFront(bytes, from, to)) return mayRepeatHead(bytes, from + FRONT.length, to - 1) ? -1 : from + ID_IN_FRONT
  const end = to - BACK_END.length
  if (from + BACK_BEGIN.length > end || !hasForm(bytes, end, BACK_END) || !hasForm(bytes, from, BACK_BEGIN)) return -1
  return mayRepeatHead(bytes, from + BACK_BEGIN.length - 1, end) ? -1 : end + ID_IN_END
}

/** The key of an id whose digits are known to be some. */
function idAt(bytes: Uint8Array, from: number): number {
  let id = 0
  for (let at = from; at < from + ID_LENGTH; at++) {
    const byte = bytes[at] as number
    id = (id << 4) | (byte < 0x3a ? byte - 0x30 : byte - 0x57)
  }
  return id
}
