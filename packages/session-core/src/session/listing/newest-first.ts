import type { SessionStorage } from "../../ports/session-storage.js"
import { scanKeys } from "./scan-sessions.js"
import type { ScannedSession } from "./scanned-session.js"
import type { SessionInfo } from "./session-info.js"

// What is held. A session that was looked at holds on to the part of a cache that knows it. So when there are many, of the newest
// ones only what a list says of them is held, and of any others no more than their place: those are looked at again when their
// turn comes.

/** So many of the newest are held. */
const HELD = 16_384
/** And no more of their texts. UTF-16 units. */
const HELD_TEXT = 4 * 1024 * 1024
/** Room for more of them before the oldest ones are sorted out. */
const ROOM = 64
/** So many of the others are looked at again at a time. */
const AGAIN = 4_096

/** A session and its place in the order. */
interface Placed {
  readonly key: string
  readonly modified: number
  /** What a list says of it; absent where it is looked at again. */
  readonly info?: SessionInfo
}

/** Puts sessions in order: the newest first, of the same time by path. */
export class NewestFirst {
  readonly #limit: number
  readonly #most: number
  #held: Placed[] = []
  #others: Placed[] = []

  /** @param held how many of the newest are held, whatever the limit */
  constructor(limit = Number.POSITIVE_INFINITY, held = HELD) {
    this.#limit = limit
    this.#most = Math.min(limit, held)
  }

  add(session: ScannedSession): void {
    this.#held.push(session)
    if (this.#held.length >= 2 * this.#most + ROOM) this.#letGo()
  }

  /** All that were added, up to the limit. What is gone meanwhile is left out. */
  async *inOrder(storage: SessionStorage): AsyncGenerator<SessionInfo> {
    const all = [...this.#held, ...this.#others]
    this.#held = []
    this.#others = []
    // The first ones are there sooner than all are in order.
    const first = firstOf(all)
    yield* infosOf(storage, first.slice(0, this.#limit))
    const last = first.at(-1)
    const others = all.filter((session) => last && byTime(last, session) < 0).sort(byTime)
    others.length = Math.min(others.length, Math.max(0, this.#limit - first.length))
    for (let at = 0; at < others.length; at += AGAIN) yield* infosOf(storage, others.slice(at, at + AGAIN))
  }

  #letGo(): void {
    const all = this.#held.sort(byTime)
    this.#held = []
    let text = 0
    for (const { key, modified, info } of all.slice(0, this.#most)) {
      text += info?.firstMessage.length ?? 0
      if (info && text <= HELD_TEXT) this.#held.push({ key, modified, info })
      else this.#others.push({ key, modified })
    }
    if (this.#limit > this.#most)
      for (const { key, modified } of all.slice(this.#most)) this.#others.push({ key, modified })
    else if (this.#others.length > this.#limit) this.#others = this.#others.sort(byTime).slice(0, this.#limit)
  }
}

/** The first of them, in order. */
function firstOf(sessions: readonly Placed[]): Placed[] {
  let first: Placed[] = []
  let last: Placed | undefined
  for (const session of sessions) {
    if (last && byTime(last, session) < 0) continue
    first.push(session)
    if (first.length < 2 * ROOM) continue
    first = first.sort(byTime).slice(0, ROOM)
    last = first[ROOM - 1]
  }
  return first.sort(byTime).slice(0, ROOM)
}

/** Newest first; of the same time, by key. */
export function byTime(a: Pick<Placed, "key" | "modified">, b: Pick<Placed, "key" | "modified">): number {
  return b.modified - a.modified || (a.key < b.key ? -1 : 1)
}

/** What a list says of each. Of what is held, it is worked out no sooner than it is asked for. */
async function* infosOf(storage: SessionStorage, sessions: readonly Placed[]): AsyncGenerator<SessionInfo> {
  const again = new Map<string, SessionInfo>()
  const keys = sessions.filter((session) => !isHeld(session)).map(({ key }) => key)
  // By key, since a cache keeps neighbours together.
  for await (const { key, info } of scanKeys(storage, keys.sort())) again.set(key, info)
  for (const session of sessions) {
    const info = isHeld(session) ? session.info : again.get(session.key)
    if (info) yield info
  }
}

function isHeld(session: Placed): boolean {
  return "info" in session
}
