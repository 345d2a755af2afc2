import { IndexedSearch } from "./indexed-search.js"
import { listenLocal, type ServedPage } from "./listen-local.js"
import { respondTo } from "./routes.js"
import type { ServeOptions } from "./serve-options.js"
import type { Served } from "./served.js"

/**
 * Serves the viewer with a session on 127.0.0.1, and follows changes of the session. Requests need the token in their path, and
 * pages of other sites have no access, not even by DNS rebinding. Writes nothing but the index in `search`.
 * @throws InvalidArgumentError for a token that is too short or a port that is in use
 */
export async function serveSession(options: ServeOptions): Promise<ServedPage> {
  const closing = new AbortController()
  const indexed = new IndexedSearch(options, closing.signal)
  const served: Served = { ...options, indexed }
  const { url, close } = await listenLocal(
    options,
    (_, response, path) => respondTo(served, response, path),
    () => closing.abort(),
  )
  return {
    url,
    close: async () => {
      await close()
      await indexed.stopped()
    },
  }
}
