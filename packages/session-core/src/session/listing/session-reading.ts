/** What reading a session came to, and all that it takes to go on from there when something was appended. */
export type SessionReading = HowFar & (OfSession | OfNone)

interface OfSession {
  readonly header: HeaderFacts
  readonly error?: never
}

/** What is no session is read anew when it changes. */
interface OfNone {
  readonly header?: never
  readonly error: ErrorInfo
}

/** An error in a list. */
export interface ErrorInfo {
  readonly code: string
  readonly message: string
}

interface HowFar extends ReadingPlace {
  /** What the lines up to `size` say, of which each has its line end. */
  readonly facts: SummaryFacts
  /** The same with a last line that has none: it may be torn, or half written, and is read again next time. */
  readonly factsWithRest?: SummaryFacts
}

/** Where reading can go on. */
export interface ReadingPlace {
  /** Bytes; 0 where reading cannot go on. */
  readonly size: number
  /** Lines up to there. */
  readonly lines: number
  /** The bytes up to the end of the header, from offset 0. */
  readonly head: Fingerprint
  /** The last bytes before `size`. */
  readonly tail: Fingerprint
}

/** Bytes that must be the same for what was read to be still there. */
export interface Fingerprint {
  /** Bytes. */
  readonly length: number
  readonly print: number
}

export interface HeaderFacts {
  readonly id: string
  readonly cwd: string
  /** Milliseconds since 1970; 0 where the header does not tell. */
  readonly created: number
  readonly parentSession?: string
  /** Of the title slot, else of the header. */
  readonly title?: string
}

export interface SummaryFacts {
  /** Undefined where no entry gave one; empty where the last one took it away. */
  readonly name?: string
  /** The newest user or assistant message. Milliseconds since 1970; 0 where there is none. */
  readonly modified: number
  readonly messageCount: number
  readonly firstMessage: string
  readonly status: SessionStatus
}

/** How the last turn ended, by the last message. */
export type SessionStatus = "complete" | "interrupted" | "aborted" | "error" | "pending" | "unknown"

export const NO_FACTS: SummaryFacts = { modified: 0, messageCount: 0, firstMessage: "", status: "unknown" }
export const NO_FINGERPRINT: Fingerprint = { length: 0, print: 0 }
