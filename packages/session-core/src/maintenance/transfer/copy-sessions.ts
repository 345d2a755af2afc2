import type { StoredName } from "../../ports/session-source.js"
import type { CopiedSession, CopySessionsOptions, UncopiedSession } from "./copy-options.js"
import { SessionCopier } from "./session-copier.js"

/**
 * Copies sessions with their artifacts and blobs from one storage to another, and reports each. It can be repeated, also after a crash, and
 * in both directions: a session that is there gets what it lacks. It is there under the key that `to.keyFor` returns for its header, or
 * under which `to` lists its id. What a writer appends meanwhile is copied by the next call.
 * @throws the reason of `signal`. Any other error is that of one session, and is reported in its place
 */
export async function* copySessions(options: CopySessionsOptions): AsyncGenerator<CopiedSession | UncopiedSession> {
  const { from, signal } = options
  const keys = options.keys && [...new Set(options.keys)]
  const copier = new SessionCopier(options, keys?.length === 1)
  for await (const name of keys ? namesOf(keys, options) : from.list({ signal })) {
    signal?.throwIfAborted()
    try {
      if (name.error) throw name.error
      yield await copier.copy(name)
    } catch (fault) {
      signal?.throwIfAborted()
      yield { key: name.key, error: fault }
    }
  }
}

/** With the projects that the source has them in: the folder of a session of another machine is not here. */
async function* namesOf(
  keys: readonly string[],
  { from, projectOf, signal }: CopySessionsOptions,
): AsyncGenerator<StoredName> {
  const projects = new Map<string, string>()
  if (projectOf)
    for await (const { key, project } of from.list({ signal })) if (project !== undefined) projects.set(key, project)
  for (const key of keys) {
    const project = projects.get(key)
    yield project === undefined ? { key } : { key, project }
  }
}
