import { faultText } from "../source/ask-routes.js"
import { pause } from "../source/pause.js"
import { StoreClient, type StoreLink } from "../source/store-client.js"
import { listedSession, sessionKey } from "./listed-session.js"
import type { SessionList } from "./session-list.js"

/** How many sessions are requested first, to be shown while the others are still read. */
const FIRST = 200

/** Time between two questions for what is new. Milliseconds. */
const INTERVAL = 4_000
/** A list that took long is requested less often: after this many times as long. */
const PATIENCE = 20
/** Each so many questions are for the whole list, which shows what was deleted. */
const WHOLE_LIST_EVERY = 15

/** What becomes of a store's list. */
export interface Following {
  readonly list: SessionList
  /** Called when the list has changed, or the fault has: why the sessions cannot be read. */
  changed(fault: string | undefined): void
  /** Called when all sessions have been listed once. */
  complete(): void
}

/** Lists the sessions of a store, and follows what is new while the page is visible, until the signal aborts. */
export async function followStore(link: StoreLink, following: Following, signal: AbortSignal): Promise<void> {
  const client = new StoreClient(link)
  let isFirst = true
  for (let round = 0; !signal.aborted; round++) {
    const started = performance.now()
    try {
      if (isFirst) await addAll(client, following, { limit: String(FIRST) }, signal)
      if (isFirst || round % WHOLE_LIST_EVERY === 0) await listWhole(client, following, signal)
      else await addAll(client, following, { since: sinceOf(following.list, link.name) }, signal)
      isFirst = false
      following.changed(undefined)
    } catch (error) {
      if (signal.aborted) return
      following.changed(faultText(error))
    }
    following.complete()
    await pause(Math.max(INTERVAL, (performance.now() - started) * PATIENCE), signal)
  }
}

async function listWhole(client: StoreClient, following: Following, signal: AbortSignal): Promise<void> {
  const keys = await addAll(client, following, {}, signal)
  following.list.retain(client.link.name, keys)
}

/** @returns the keys of the sessions */
async function addAll(
  client: StoreClient,
  { list, changed }: Following,
  params: { readonly limit?: string; readonly since?: string | undefined },
  signal: AbortSignal,
): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const lines of client.list(params, signal)) {
    for (const { id } of lines) keys.add(sessionKey(client.link.name, id))
    if (list.add(lines.map((line) => listedSession(client.link, line)))) changed(undefined)
  }
  return keys
}

function sinceOf(list: SessionList, store: string): string | undefined {
  const newest = list.newestOf(store)
  return newest > 0 ? new Date(newest).toISOString() : undefined
}
