/** The kinds of changes that `repairContext` makes. */
export type ContextChangeKind =
  /** A list item that is not a message was removed. */
  | "not-a-message"
  /** Content of the wrong type for the role was converted to blocks, or an image got the type and the base64 of its bytes. */
  | "content-changed"
  /** A block that is empty, or that no provider accepts in this role, was removed. */
  | "block-removed"
  /** A message without content was removed. */
  | "turn-removed"
  /** Lone surrogates were replaced by U+FFFD, or a signature that cannot be sent was removed. */
  | "text-replaced"
  /** An image that no provider can read was replaced by a text. */
  | "image-noted"
  /** The arguments of a call were not an object, or nested too deeply, and were replaced. */
  | "arguments-replaced"
  /** A call had the id of an earlier one: it and its result got another id. */
  | "call-renamed"
  /** A call without a result got one that says that it was interrupted. */
  | "result-added"
  /** A result was moved to right after its call. */
  | "result-moved"
  /** A result without a call, or a second result of a call, was removed. */
  | "result-removed"
  /** A result with a tool name different from its call's, or with none, got the name of the call. */
  | "result-named"
  /** A result without content got a text. */
  | "result-noted"
  /** A user turn was inserted before an answer that came first or right after another answer. */
  | "turn-added"

/** One change that `repairContext` made. */
export interface ContextChange {
  readonly kind: ContextChangeKind
  /** Index in the input of the changed message, or of the message next to which one was added. */
  readonly index: number
  /** A sentence for people. */
  readonly message: string
}

/** Records a change to one message. */
export type Note = (kind: ContextChangeKind, what: string) => void

/** Notes a change of the message with an index. */
export type NoteAt = (kind: ContextChangeKind, index: number, what: string) => void

/** Options for `repairContext`. */
export interface RepairOptions {
  /** False for a model that reads no images: each is replaced by a text. Default true. */
  readonly images?: boolean | undefined
  /** False to add no turns of the user, for what accepts an answer at the start and behind another. Default true. */
  readonly turns?: boolean | undefined
}
