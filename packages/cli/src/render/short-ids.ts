import type { Session, SessionStorage } from "@treelog/session-core"
import { listSessions, matchesId, type StoredName } from "@treelog/session-core/adapter"

const MIN_LENGTH = 8

/** Knows how much of an id has to be shown to distinguish it from all others. */
export class ShortIds {
  #sorted: readonly string[] = []
  readonly #known = new Set<string>()
  /** By its last characters, each id that its end names too. */
  readonly #ends = new Map<string, string[]>()
  readonly #isEndEnough: (id: string) => boolean

  /** @param isEndEnough whether the end of an id names it too */
  constructor(ids: Iterable<string>, isEndEnough: (id: string) => boolean = () => false) {
    this.#isEndEnough = isEndEnough
    this.add([...ids])
  }

  /** Most are known already. */
  add(ids: readonly string[]): void {
    const others = [...new Set(ids)].filter((id) => !this.#known.has(id))
    if (others.length === 0) return
    for (const id of others) this.#known.add(id)
    this.#sorted = [...this.#sorted, ...others].sort()
    for (const id of others) {
      if (!this.#isEndEnough(id)) continue
      const same = this.#ends.get(id.slice(-MIN_LENGTH))
      if (same) same.push(id)
      else this.#ends.set(id.slice(-MIN_LENGTH), [id])
    }
  }

  /** The shortest part of at least 8 characters that fits no other id: its beginning, or else its end; all of an id that is not known. */
  of(id: string): string {
    if (!this.#known.has(id)) return id
    const isEndEnough = this.#isEndEnough(id)
    for (let length = MIN_LENGTH; length < id.length; length++) {
      const beginning = id.slice(0, length)
      if (this.#isUnique(beginning)) return beginning
      const end = id.slice(-length)
      if (isEndEnough && this.#isUnique(end)) return end
    }
    return id
  }

  #isUnique(part: string): boolean {
    let count = beginningWith(part, this.#sorted)
    // An id that begins and ends with the same is one.
    for (const id of this.#ends.get(part.slice(-MIN_LENGTH)) ?? [])
      if (id.endsWith(part) && !id.startsWith(part)) count += 1
    return count === 1
  }
}

export function shortIds(ids: Iterable<string>): (id: string) => string {
  const known = new ShortIds(ids)
  return (id) => known.of(id)
}

/** The same for sessions, which the ends of their ids name, too. */
export function shortSessionIds(ids: Iterable<string>): ShortIds {
  return new ShortIds(ids, (id) => matchesId(id.slice(-MIN_LENGTH), id))
}

/** The same for the entries of a session. */
export function shortEntryIds(session: Session): (id: string) => string {
  return shortIds(session.getEntries().map(({ id }) => id))
}

/** How many begin with a text: none, one, or two where there are more. */
function beginningWith(text: string, ids: readonly string[]): number {
  const place = placeOf(text, ids)
  if (!ids[place]?.startsWith(text)) return 0
  return ids[place + 1]?.startsWith(text) ? 2 : 1
}

/** The index of a text in a sorted list, or the one where it would be inserted. */
function placeOf(text: string, ids: readonly string[]): number {
  let [from, to] = [0, ids.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ids[middle] as string) < text) from = middle + 1
    else to = middle
  }
  return from
}

/** The ids of a store, as file names show them. */
export class StoredIds {
  readonly #ids: string[] = []
  #isNamed = true

  see({ id }: Pick<StoredName, "id">): void {
    if (id === undefined) this.#isNamed = false
    else this.#ids.push(id)
  }

  /** Sees all that the storage names. */
  async seeAll(storage: SessionStorage): Promise<void> {
    for await (const name of storage.list()) if (!name.error) this.see(name)
  }

  /** What has to be shown of each; when a file name has no id, the session is read. */
  async short(storage: SessionStorage): Promise<ShortIds> {
    if (!this.#isNamed) for await (const { id } of listSessions(storage, undefined)) this.#ids.push(id)
    return shortSessionIds(this.#ids)
  }
}
