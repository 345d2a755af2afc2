import { isTreelogError } from "@treelog/session-core"
import type { SessionIndex } from "@treelog/session-core/session-index"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/compose-sessions.js"
import { openIndex } from "./open-index.js"
import { refreshIndex } from "./refresh-index.js"
import { filterOfScope } from "./scope-filter.js"

/** The sessions in which terms occur. */
export interface SayingSessions {
  readonly terms: readonly { readonly term: string; readonly keys: ReadonlySet<string> }[]
  /** Why sessions could not be read, by their keys. */
  readonly failed: ReadonlyMap<string, { readonly code: string; readonly message: string }>
}

/** Hits of the first search; eight times as many in each next one. */
const FIRST_LIMIT = 1000

/** For each term the sessions of the scope in which anybody said it, by the index, which is brought up to date; undefined without SQLite. */
export async function sessionsSaying(
  context: CommandContext,
  sessions: Sessions,
  terms: readonly string[],
): Promise<SayingSessions | undefined> {
  const index = openIndex(context, sessions)
  try {
    const { failed } = await refreshIndex(context, index)
    const found: { term: string; keys: Set<string> }[] = []
    for (const term of terms) found.push({ term, keys: await keysSaying(index, sessions, term) })
    return { terms: found, failed: new Map(failed.map(({ key, ...error }) => [key, error])) }
  } catch (error) {
    if (isTreelogError(error, "IndexUnavailableError")) return undefined
    throw error
  }
}

async function keysSaying(index: SessionIndex, { scope }: Sessions, text: string): Promise<Set<string>> {
  for (let limit = FIRST_LIMIT; ; limit *= 8) {
    const { sessions, isMore } = await index.search({
      ...filterOfScope(scope),
      terms: [{ text, isPrefix: true }],
      limit,
    })
    if (!isMore) return new Set(sessions.map(({ session }) => session.key))
  }
}
