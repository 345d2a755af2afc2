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
  const paths = new Set(data.candidates.map(({ path }) => path))
  const found = new Map<string, SessionInfo>()
  const ids: string[] = []
  for await (const info of listSessions(storage, undefined, { order: "newest" })) {
    ids.push(info.id)
    if (paths.has(info.path)) found.set(info.path, info)
  }
  const short = shortSessionIds([...ids, ...data.candidates.map(({ id }) => id)])
  const described = [...found.values()].map(
    ({ path, id, name, firstMessage, modified }): Candidate => ({
      path,
      id,
      shortId: short.of(id),
      ...(name === undefined ? { firstMessage: firstMessage.slice(0, MAX_EXCERPT) } : { name }),
      modified,
    }),
  )
  const gone = data.candidates.filter(({ path }) => !found.has(path))
  const message = `${JSON.stringify(data.ref)} may mean ${plural(paths.size, "session")}; use more of an id, or a path.`
  return new TreelogError("AmbiguousSessionError", message, { ...data, candidates: [...described, ...gone] })
}
