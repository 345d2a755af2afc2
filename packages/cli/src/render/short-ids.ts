import type { Session, SessionStorage } from "@treelog/session-core"
import { listSessions, matchesId, type StoredName } from "@treelog/session-core/adapter"

const MIN_LENGTH = 8

/** Knows how much of an id has to be shown to distinguish it from all others. */
export class ShortIds {
  #sorted: readonly string[]
  /** Backwards, of those that their ends can name. */
  #ends: readonly string[] = []
  readonly #isEndEnough: (id: string) => boolean

  /** @param isEndEnough whether the end of an id names it too */
  constructor(ids: Iterable<string>, isEndEnough: (id: string) => boolean = () => false) {
    this.#isEndEnough = isEndEnough
    this.#sorted = sorted(ids)
    this.#ends = this.#endsOf(this.#sorted)
  }

  /** Most are known already. */
  add(ids: readonly string[]): void {
    const others = ids.filter((id) => !this.#has(id))
    if (others.length === 0) return
    this.#sorted = sorted([...this.#sorted, ...others])
    this.#ends = this.#endsOf(this.#sorted)
  }

  /** The shortest part of at least 8 characters that fits no other id: its beginning, or else its end; all of an id that is not known. */
  of(id: string): string {
    if (!this.#has(id)) return id
    for (let length = MIN_LENGTH; length < id.length; length++) {
      const parts = [id.slice(0, length), ...(this.#isEndEnough(id) ? [id.slice(-length)] : [])]
      const unique = parts.find((part) => this.#isUnique(part))
      if (unique !== undefined) return unique
    }
    return id
  }

  #has(id: string): boolean {
    return this.#sorted[placeOf(id, this.#sorted)] === id
  }

  #isUnique(part: string): boolean {
    return beginningWith(part, this.#sorted) + beginningWith(backwards(part), this.#ends) === 1
  }

  #endsOf(ids: readonly string[]): readonly string[] {
    return sorted(ids.filter(this.#isEndEnough).map(backwards))
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

/** Each once. */
function sorted(ids: Iterable<string>): readonly string[] {
  const all = [...ids].sort()
  return all.filter((id, index) => id !== all[index - 1])
}

function backwards(text: string): string {
  return text.split("").reverse().join("")
}

/** How many begin with a text: none, one, or two where there are more. */
function beginningWith(text: string, ids: readonly string[]): number {
  const place = placeOf(text, ids)
  return [ids[place], ids[place + 1]].filter((id) => id?.startsWith(text)).length
}

/** Where a text stands, or would. */
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
