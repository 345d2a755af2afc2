import type { RecordPlace } from "./source-record.js"

/** What a transcript has to know of the records before its own, as plain JSON. */
export interface Before {
  /** The last node, on which all hangs that is not behind another new one. */
  readonly node: {
    readonly id: string
    /** Of the records that lead to it. */
    readonly uuids: readonly string[]
    /** The entry on which hangs what comes next. */
    readonly lastId: string | null
    readonly model?: string | undefined
    readonly place?: RecordPlace | undefined
    /** Whether it is a reply with calls, or a result of one. */
    readonly hasCalls: boolean
    /** Whether the path to it lacks a reminder that the model got. */
    readonly isLacking: boolean
  }
  /** The end of what precedes the first node. */
  readonly start: string | null
  /** Of the last record that has one, or of the session. */
  readonly time: string
  readonly titles: TitleState
  /** Whether the last `last-prompt` names a message that the node is below, or is. */
  readonly isPinned: boolean
  /** The texts of prompts in the queue. */
  readonly waiting: readonly string[]
}

/** The titles that lines gave a session, by the kind of line, and the one that it has. */
export interface TitleState {
  readonly texts: readonly (readonly [kind: string, text: string])[]
  readonly name: string
}
