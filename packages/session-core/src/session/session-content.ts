import type { SessionHeader } from "../entry/header.js"
import type { TitleSlot } from "../log/session-log.js"
import type { SessionState } from "./session-state.js"

/** What a session starts with. */
export interface SessionContent {
  readonly header: SessionHeader
  readonly state: SessionState
  readonly titleSlot?: TitleSlot | undefined
}
