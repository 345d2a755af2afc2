import type { SessionStorage } from "../../ports/session-storage.js"
import { scanKeys } from "./scan-sessions.js"
import type { ScannedSession } from "./scanned-session.js"
import type { SessionInfo } from "./session-info.js"

// What is held. A scanned session refers to the part of a cache that it was found in. So when there are many, only the list's row
// is held of the newest, and the key and the time of all others: those are scanned again when their turn comes. This bounds memory,
// not time: below 16,384 sessions everything is held.

/** So many rows are held. */
const HELD = 16_384
/** And no more of their texts. UTF-16 units. */
const HELD_TEXT = 4 * 1024 * 1024
/** So many more are held before the oldest ones are sorted out. */
const SLACK = 64
/** So many of the others are scanned again at a time, after the first few. */
const FIRST = 64
const AGAIN = 4_096

/** A session and its place in the order. */
interface Placed {
  readonly key: string
  readonly modified: number
  /** Its row in a list; absent where it is scanned again. */
  readonly info?: SessionInfo
}

/** Sorts sessions: the newest first, of the same time by path. */
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
    if (this.#held.length >= 2 * this.#most + SLACK) this.#letGo()
  }

  /** All that were added, up to the limit. What is gone meanwhile is left out. */
  async *inOrder(storage: SessionStorage): AsyncGenerator<SessionInfo> {
    const all = [...this.#held, ...this.#others].sort(byTime)
    this.#held = []
    this.#others = []
    all.length = Math.min(all.length, this.#limit)
    // A few first: the newest are listed before any other is scanned again.
    for (let at = 0, count = FIRST; at < all.length; at += count, count = AGAIN)
      yield* infosOf(storage, all.slice(at, at + count))
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

/** Newest first; of the same time, by key. */
function byTime(a: Pick<Placed, "key" | "modified">, b: Pick<Placed, "key" | "modified">): number {
  return b.modified - a.modified || (a.key < b.key ? -1 : 1)
}

/** The row of each. That of a held session is computed when it is needed. */
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
