// What a page and its server tell each other, as JSON.

/** What decides about the price of a call. */
export interface AlikeCalls {
  readonly model: string
  readonly inputAbove?: number | undefined
  readonly serviceTier?: string | undefined
}

/** What one token more of each kind, or one search, costs calls that are alike; null where that is not known. US dollars. */
export interface CallRates extends AlikeCalls {
  readonly rates: readonly (number | null)[]
}

export interface AgentTranscript {
  /** The name of its file, without folder and suffix. */
  readonly id: string
  /** The start of what the sub-agent was asked, by which the page finds the call that began it. Empty where nothing was. */
  readonly prompt: string
  /** Whether it is too large for this page, which only names it. */
  readonly isLeftOut?: boolean
}

/** What is stored, as a page asks for it. */
export interface Place {
  /** Bytes. */
  readonly size: number
  /** Names these bytes, to ask for them, and to ask whether they were only appended to. */
  readonly identity: string
  /** Whether all that an earlier identity named is still there, at the start. */
  readonly continues: boolean
}

/** The stores of the page of all sessions. Addresses are relative to the page. */
export interface ListedStores {
  readonly stores: readonly {
    readonly name: string
    /** The agent of sessions whose headers name none. */
    readonly agent: string
    /** The address of its sessions in the viewer, without the id. */
    readonly open: string
  }[]
  /** The address of the routes. */
  readonly base: string
  /** The folder that is shown as `~`. */
  readonly home?: string | undefined
}

/** What a session does: `works`, `waits-for-permission`, `waits-for-prompt`, `done`, `dead` or `unknown`. */
export interface LiveLine {
  readonly state: string
  /** Milliseconds since 1970. */
  readonly since: number
}

/** A store that could not be read: its answers are missing. */
export interface StoreFault {
  readonly store: string
  readonly code: string
}

export interface SecretPlace {
  /** Undefined in the header, and where a line cannot be read. */
  readonly entryId?: string | undefined
  readonly place?: string | undefined
  /** The id of the transcript of a sub-agent that it is in. */
  readonly agent?: string | undefined
}

export interface SecretKind {
  readonly kind: string
  readonly count: number
  readonly places: readonly SecretPlace[]
}
