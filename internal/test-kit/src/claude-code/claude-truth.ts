/** Tokens of one response. */
export interface TokenCounts {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

/** What the writer of a file knows about it, and a reader must find out. */
export interface ClaudeTruth {
  /** Uuids of prompts, lines of the client, replies (their first line), results in the order of the calls, and compactions, from the start to the leaf. */
  path: string[]
  /** Of each response, the counts of its last line. */
  readonly usage: Map<string, TokenCounts>
  /** Calls in the conversation that no line answers. */
  readonly openCalls: Set<string>
  /** The title that a reader must show. */
  title: string
  /** Lines that repeat others. */
  copies: number
  /** Links that a reader must repair. */
  repairs: number
}
