/** What `repairContext` can do to a history. */
export type ContextChangeKind =
  /** Something in the list that is no message was taken out. */
  | "not-a-message"
  /** Content of a form that the role does not have became blocks. */
  | "content-changed"
  /** A block that is empty, or that no provider takes in this role, was taken out. */
  | "block-removed"
  /** A message without content was taken out. */
  | "turn-removed"
  /** Lone surrogates became U+FFFD; a signature that cannot be sent went. */
  | "text-replaced"
  /** An image that no provider can read became a note. */
  | "image-noted"
  /** The arguments of a call were no object, or nested too deeply. */
  | "arguments-replaced"
  /** A call had the id of an earlier one; it and its result got another. */
  | "call-renamed"
  /** A call without result got one that says that it was interrupted. */
  | "result-added"
  /** A result stood elsewhere than right after its call. */
  | "result-moved"
  /** A result had no call, or the call had one already. */
  | "result-removed"
  /** A result had another tool's name than its call, or none. */
  | "result-named"
  /** A result without content got a note. */
  | "result-noted"
  /** A turn of the user was put before an answer that stood first, or right after another answer. */
  | "turn-added"

/** One thing that `repairContext` changed. */
export interface ContextChange {
  readonly kind: ContextChangeKind
  /** The place in the given list of the message that was changed, or before or after which something was added. */
  readonly index: number
  /** A sentence for people. */
  readonly message: string
}

/** Takes down a change to one message. */
export type Note = (kind: ContextChangeKind, what: string) => void
