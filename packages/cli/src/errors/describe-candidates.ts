import { type SessionInfo, type SessionStorage, TreelogError } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { plural } from "@treelog-internal/text"
import { shortSessionIds } from "../render/short-ids.js"
import type { Candidate } from "./candidate-lines.js"

/** Characters. */
const MAX_EXCERPT = 200

/** The same error, with age and title of each candidate, newest first. */
export async function describeCandidates(
  storage: SessionStorage,
  { data }: TreelogError<"AmbiguousSessionError">,
): Promise<TreelogError<"AmbiguousSessionError">> {
  const keys = new Set(data.candidates.map(({ key }) => key))
  const found = new Map<string, SessionInfo>()
  const ids: string[] = []
  for await (const info of listSessions(storage, undefined, { order: "newest" })) {
    ids.push(info.id)
    if (keys.has(info.path)) found.set(info.path, info)
  }
  const short = shortSessionIds([...ids, ...data.candidates.map(({ id }) => id)])
  const described = [...found.values()].map(
    ({ path: key, id, name, firstMessage, modified }): Candidate => ({
      key,
      id,
      shortId: short.of(id),
      ...(name === undefined ? { firstMessage: firstMessage.slice(0, MAX_EXCERPT) } : { name }),
      modified,
    }),
  )
  const gone = data.candidates.filter(({ key }) => !found.has(key))
  const message = `${JSON.stringify(data.ref)} may mean ${plural(keys.size, "session")}; use more of an id, or a path.`
  return new TreelogError("AmbiguousSessionError", message, { ...data, candidates: [...described, ...gone] })
}
