import { isTreelogError, TreelogError } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { isRecency, type ListedSource } from "@treelog/stores"
import { plural } from "@treelog-internal/text"
import { listedStores } from "./program-stores.js"

/** Completes the error of a reference: it names where sessions were looked for, and describes candidates. */
export async function describedError(
  sources: readonly ListedSource[],
  ref: string,
  scope: string | undefined,
  error: unknown,
): Promise<unknown> {
  if (isTreelogError(error, "SessionNotFoundError")) return notFound(sources, ref, scope, error)
  if (!isTreelogError(error, "AmbiguousSessionError")) return error
  const { describeCandidates } = await import("../errors/candidates.js")
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
  const unread = isRecency(ref) ? await unreadableIn(sources, scope) : ""
  const [only] = sources.length === 1 ? sources : []
  if (only) {
    if (!isRecency(ref)) return error
    const message = `${error.message.replace(/\.$/, "")} in ${only.name}${unread}.`
    return new TreelogError("SessionNotFoundError", message, { ref })
  }
  const where = `in the stores of ${listedStores(sources.map(({ name }) => name))}`
  const message = isRecency(ref)
    ? scope === undefined
      ? `There is no session ${where} that ${ref} could mean${unread}.`
      : `There is no session of this folder ${where} that ${ref} could mean; --all looks in every folder${unread}.`
    : `There is no session ${JSON.stringify(ref)} ${where}; \`treelog list --all\` lists them.`
  return new TreelogError("SessionNotFoundError", message, { ref })
}

/** For a sentence that there is no session: how many there are that cannot be read; empty for none. */
async function unreadableIn(sources: readonly ListedSource[], scope: string | undefined): Promise<string> {
  let count = 0
  for (const { storage, projectOf } of sources)
    for await (const { error } of listSessions(storage, scope, { projectOf })) if (error) count += 1
  return count === 0 ? "" : `; ${plural(count, "session")} cannot be read, \`treelog verify --all\` shows why`
}
