import type { Session, SessionStorage } from "@treelog/session-core"
import { listSessions, matchesId, type StoredName } from "@treelog/session-core/adapter"

const MIN_LENGTH = 8

/** Knows how much of an id has to be shown to distinguish it from all others. */
export class ShortIds {
  #sorted: readonly string[] = []
  /** Of each id in `#sorted`. */
  #places = new Map<string, number>()
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
    const others = [...new Set(ids)].filter((id) => !this.#places.has(id))
    if (others.length === 0) return
    this.#sorted = [...this.#sorted, ...others].sort()
    this.#places = new Map(this.#sorted.map((id, place) => [id, place]))
    for (const id of others) {
      if (!this.#isEndEnough(id)) continue
      const same = this.#ends.get(id.slice(-MIN_LENGTH))
      if (same) same.push(id)
      else this.#ends.set(id.slice(-MIN_LENGTH), [id])
    }
  }

  /** The shortest part of at least 8 characters that fits no other id: its beginning, or else its end; all of an id that is not known. */
  of(id: string): string {
    const place = this.#places.get(id)
    if (place === undefined) return id
    const shared = Math.max(sharedBeginning(id, this.#sorted[place - 1]), sharedBeginning(id, this.#sorted[place + 1]))
    const isEndEnough = this.#isEndEnough(id)
    for (let length = MIN_LENGTH; length < id.length; length++) {
      const beginning = id.slice(0, length)
      if (length > shared && !this.#endsOther(beginning, id)) return beginning
      const end = id.slice(-length)
      if (isEndEnough && this.#isUniqueEnd(end, id)) return end
    }
    return id
  }

  /** Whether another id ends with the part, and is named by its end. */
  #endsOther(part: string, id: string): boolean {
    return this.#ends.get(part.slice(-MIN_LENGTH))?.some((other) => other !== id && other.endsWith(part)) ?? false
  }

  #isUniqueEnd(end: string, id: string): boolean {
    return !this.#endsOther(end, id) && !beginsOther(end, this.#sorted, id)
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

/** How many characters two ids have in common from their first on. */
function sharedBeginning(id: string, other = ""): number {
  let length = 0
  while (length < id.length && id.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}

/** Whether an id other than this one begins with the text. */
function beginsOther(text: string, ids: readonly string[], id: string): boolean {
  const place = placeOf(text, ids)
  // What begins with the text stands there in a row.
  return [ids[place], ids[place + 1]].some((other) => other !== id && other?.startsWith(text))
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
