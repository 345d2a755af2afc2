/** The newest version of the format that this library writes. */
export const CURRENT_VERSION = 3

/** The first line of a session (FORMAT.md, section 2). Unknown fields are kept. */
export interface SessionHeader {
  type: "session"
  /** Absent means 1. */
  version?: number
  id: string
  /** ISO 8601. */
  timestamp: string
  cwd: string
  /** The session that this one was forked from. Opaque: a path in pi, an id or a path in xcsh. */
  parentSession?: string
  title?: string
  titleSource?: string
  [key: string]: unknown
}
