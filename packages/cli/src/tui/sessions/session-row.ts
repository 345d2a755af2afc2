import type { SessionInfo } from "@treelog/session-core"
import { foldPrompt } from "@treelog/session-core/prompt-history"

/** A session, and what it is found by. */
export interface SessionRow {
  readonly info: SessionInfo
  /** Name, first message and id, folded. */
  readonly folded: string
  /** What its user messages say; undefined until it was read. */
  readonly prompts?: RowPrompts | undefined
  /** It cannot be read, and lies where sessions of the project lie. */
  readonly isInBucket: boolean
}

export interface RowPrompts {
  readonly texts: readonly string[]
  /** Of each. */
  readonly folded: readonly string[]
}

/** @param known what was known of the session before */
export function sessionRow(info: SessionInfo, isInBucket: boolean, known: SessionRow | undefined): SessionRow {
  const { name = "", firstMessage, id } = info
  // A line end between them: a term never spans two.
  const folded = foldPrompt(`${name}\n${firstMessage}\n${id}`)
  return { info, folded, prompts: known?.prompts, isInBucket: isInBucket || known?.isInBucket === true }
}

export function rowPrompts(texts: readonly string[]): RowPrompts {
  return { texts, folded: texts.map(foldPrompt) }
}

/** What a session is called: its name, or what was said first. As stored. */
export function titleOf({ name, firstMessage }: SessionInfo): string {
  return name ?? firstMessage
}
