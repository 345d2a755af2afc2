import type { Message } from "../../../entry/message.js"

/** A message during a repair, with its index in the input. */
export interface PlacedMessage {
  readonly index: number
  readonly message: Message
}
