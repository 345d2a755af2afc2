import type { FilterValues } from "@treelog/session-core/search"
import type { StoreFault } from "../../wire.js"
import { faultText, type QueryParams } from "../source/ask-routes.js"
import { pause } from "../source/pause.js"
import { listSessions, type SessionsLink } from "../source/sessions-client.js"
import { readableLine } from "../text/readable-text.js"
import { listedSession } from "./listed-session.js"
import type { SessionList } from "./session-list.js"

/** How many sessions are requested first, to be shown while the others are still read. */
const FIRST = 200

/** Time between two questions for what is new. Milliseconds. */
const INTERVAL = 4_000
/** A list that took long is requested less often: after this many times as long. */
const PATIENCE = 20
/** Each so many questions are for the whole list, which shows what was deleted. */
const WHOLE_LIST_EVERY = 15

export interface Following {
  readonly list: SessionList
  /** Called when the list has changed, or the faults have: why sessions cannot be read. */
  changed(faults?: readonly string[]): void
  /** Called when all sessions have been listed once. */
  complete(): void
}

/** Lists sessions, and follows what is new while the page is visible, until the signal aborts. */
export async function followSessions(
  link: SessionsLink,
  filters: FilterValues,
  following: Following,
  signal: AbortSignal,
): Promise<void> {
  const { list } = following
  let isFirst = true
  for (let round = 0; !signal.aborted; round++) {
    const started = performance.now()
    const faults: string[] = []
    try {
      if (isFirst) await addAll(link, following, { ...filters, limit: String(FIRST) }, [], signal)
      const isWhole = isFirst || round % WHOLE_LIST_EVERY === 0
      const keys = await addAll(
        link,
        following,
        isWhole ? filters : { ...filters, since: sinceOf(list) },
        faults,
        signal,
      )
      // What a store has that was not listed is not known.
      if (isWhole && faults.length === 0) list.retain(keys)
      isFirst = false
    } catch (error) {
      if (signal.aborted) return
      faults.push(faultText(error))
    }
    following.changed(faults)
    following.complete()
    await pause(Math.max(INTERVAL, (performance.now() - started) * PATIENCE), signal)
  }
}

/** @param faults gets why stores could not be listed. @returns the keys of the sessions */
async function addAll(
  link: SessionsLink,
  { list, changed }: Following,
  params: QueryParams,
  faults: string[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const keys = new Set<string>()
  const onFault = (fault: Parameters<typeof storeFaultText>[0]): unknown => faults.push(storeFaultText(fault))
  for await (const lines of listSessions(link.ask, params, signal, onFault)) {
    const sessions = lines.map((line) => listedSession(link, line))
    for (const { key } of sessions) keys.add(key)
    if (list.add(sessions)) changed()
  }
  return keys
}

function sinceOf(list: SessionList): string | undefined {
  const { newest } = list
  return newest > 0 ? new Date(newest).toISOString() : undefined
}

/** What is said of a store that could not be read. */
export function storeFaultText({ store, code }: StoreFault): string {
  return `${store === "" ? "The store" : readableLine(store, 80)} cannot be read: ${readableLine(code, 80)}`
}
