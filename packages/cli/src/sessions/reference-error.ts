import { isTreelogError, type SessionInfo, type SessionSource, TreelogError } from "@treelog/session-core"
import { compareRecency, listSessions } from "@treelog/session-core/adapter"
import type { ListedSource } from "@treelog/stores"
import { plural } from "@treelog-internal/text"
import type { Candidate } from "../errors/candidates.js"
import { shortSessionIds } from "../render/short-ids.js"
import { listedStores } from "../store/program-stores.js"

/** Completes the error of a reference: it names where sessions were looked for, and describes candidates. */
export async function describedError(
  sources: readonly ListedSource[],
  ref: string,
  scope: string | undefined,
  error: unknown,
): Promise<unknown> {
  if (isTreelogError(error, "SessionNotFoundError")) return notFound(sources, ref, scope, error)
  if (!isTreelogError(error, "AmbiguousSessionError")) return error
  return describeCandidates(
    sources.map(({ storage }) => storage),
    error,
  )
}

async function notFound(
  sources: readonly ListedSource[],
  ref: string,
  scope: string | undefined,
  error: TreelogError<"SessionNotFoundError">,
): Promise<TreelogError<"SessionNotFoundError">> {
  const { count, cwd } = error.data
  const [only] = sources.length === 1 ? sources : []
  if (only && count === undefined) return error
  const where = only ? only.name : `the stores of ${listedStores(sources.map(({ name }) => name))}`
  const message =
    count === undefined
      ? `There is no session ${JSON.stringify(ref)} in ${where}; \`treelog list --all\` lists them.`
      : `There ${onlySessions(count)}${cwd === undefined ? "" : ` of ${cwd}`} in ${where}${await unreadableIn(sources, scope)}.`
  return new TreelogError("SessionNotFoundError", message, error.data)
}

function onlySessions(count: number): string {
  return count === 0 ? "is no session" : count === 1 ? "is only 1 session" : `are only ${count} sessions`
}

/** For a sentence that there is no session: how many there are that cannot be read; empty for none. */
async function unreadableIn(sources: readonly ListedSource[], scope: string | undefined): Promise<string> {
  let count = 0
  for (const { storage, projectOf } of sources)
    for await (const { error } of listSessions(storage, scope, { projectOf })) if (error) count += 1
  return count === 0 ? "" : `; ${plural(count, "session")} cannot be read, \`treelog verify --all\` shows why`
}

/** Characters. */
const MAX_EXCERPT = 200

/** Adds to an error of an ambiguous reference the age and title of each candidate, newest first. */
async function describeCandidates(
  storages: readonly SessionSource[],
  { data }: TreelogError<"AmbiguousSessionError">,
): Promise<TreelogError<"AmbiguousSessionError">> {
  const paths = new Set(data.candidates.map(({ path }) => path))
  const found = new Map<string, SessionInfo>()
  const ids: string[] = []
  for (const storage of storages)
    for await (const info of listSessions(storage, undefined)) {
      ids.push(info.id)
      if (paths.has(info.path)) found.set(info.path, info)
    }
  const short = shortSessionIds([...ids, ...data.candidates.map(({ id }) => id)])
  const described = [...found.values()].sort(compareRecency).map(
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
