import type { Message } from "../../../entry/message.js"

/** A message on its way through a repair, with its place in the list that was given. */
export interface PlacedMessage {
  readonly index: number
  readonly message: Message
}
