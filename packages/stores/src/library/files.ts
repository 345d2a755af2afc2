import type { FileQuery, FileUse } from "@treelog/session-core/search"
import { agentOfId } from "./conversation.js"
import { eachOnce } from "./each-once.js"
import { indexFilter, type SessionFilter } from "./session-query.js"
import { type OnSourceError, ofEach, type Source } from "./source.js"

/** A use of a file, and the source of its session. */
export interface FoundUse<From extends Source = Source> extends FileUse {
  readonly source: From
}

/** The uses of a file in several sources, the newest first. Of an entry that several copies of a conversation have, those of one copy. */
export async function fileUses<From extends Source>(
  sources: readonly From[],
  query: FileQuery & SessionFilter,
  onError: OnSourceError<From>,
): Promise<FoundUse<From>[]> {
  const uses = await ofEach(sources, onError, async (source) => {
    const found = await (await source.index()).files(indexFilter(query, source))
    return found.map((use): FoundUse<From> => ({ ...use, source }))
  })
  const once = await eachOnce(uses.flat(), sources, ({ source, session, entryId }) =>
    JSON.stringify([agentOfId(session, source), session.id, entryId]),
  )
  return once.sort((a, b) => b.time - a.time)
}
