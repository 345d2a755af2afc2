import type { Session, SessionStorage } from "@treelog/session-core"
import { listSessions, matchesId, type StoredName } from "@treelog/session-core/adapter"

const MIN_LENGTH = 8

/** Knows how much of an id has to be shown to distinguish it from all others. */
export class ShortIds {
  readonly #known = new Set<string>()
  /** By their first characters. */
  readonly #beginnings: IdsByPart = new Map()
  /** Lists of those that are not in order. */
  readonly #unsorted = new Set<string[]>()
  /** By its last characters, each id that its end names too. */
  readonly #ends: IdsByPart = new Map()
  readonly #isEndEnough: (id: string) => boolean

  /** @param isEndEnough whether the end of an id names it too */
  constructor(ids: Iterable<string>, isEndEnough: (id: string) => boolean = () => false) {
    this.#isEndEnough = isEndEnough
    this.add(ids)
  }

  /** Most may be known already. */
  add(ids: Iterable<string>): void {
    for (const id of ids) {
      if (this.#known.has(id)) continue
      this.#known.add(id)
      const others = addTo(this.#beginnings, id.slice(0, MIN_LENGTH), id)
      if (others) this.#unsorted.add(others)
      if (this.#isEndEnough(id)) addTo(this.#ends, id.slice(-MIN_LENGTH), id)
    }
  }

  /** The shortest part of at least 8 characters that fits no other id: its beginning, or else its end; all of an id that is not known. */
  of(id: string): string {
    if (!this.#known.has(id)) return id
    const shared = this.#sharedBeginning(id)
    let isEndEnough: boolean | undefined
    for (let length = MIN_LENGTH; length < id.length; length++) {
      const beginning = id.slice(0, length)
      if (length > shared && !this.#endsOther(beginning, id)) return beginning
      isEndEnough ??= this.#isEndEnough(id)
      const end = id.slice(-length)
      if (isEndEnough && !this.#beginsOther(end, id) && !this.#endsOther(end, id)) return end
    }
    return id
  }

  /** How many characters an id has in common, from its first on, with the one that has most. */
  #sharedBeginning(id: string): number {
    const ids = this.#beginningAs(id)
    if (typeof ids === "string") return 0
    const place = placeOf(id, ids)
    return Math.max(sharedBeginning(id, ids[place - 1]), sharedBeginning(id, ids[place + 1]))
  }

  /** Whether another id begins with the part. */
  #beginsOther(part: string, id: string): boolean {
    const ids = this.#beginningAs(part)
    if (typeof ids === "string") return ids !== id && ids.startsWith(part)
    const place = placeOf(part, ids)
    // Those that do stand there in a row.
    return [ids[place], ids[place + 1]].some((other) => other !== id && other?.startsWith(part))
  }

  /** Whether another id ends with the part, and is named by its end. */
  #endsOther(part: string, id: string): boolean {
    const ids = this.#ends.get(part.slice(-MIN_LENGTH)) ?? []
    if (typeof ids === "string") return ids !== id && ids.endsWith(part)
    return ids.some((other) => other !== id && other.endsWith(part))
  }

  /** Those that begin with the same 8 characters, in order. */
  #beginningAs(text: string): string | readonly string[] {
    const found = this.#beginnings.get(text.slice(0, MIN_LENGTH)) ?? []
    if (typeof found !== "string" && this.#unsorted.delete(found)) found.sort()
    return found
  }
}

/** Most parts are of one id, which needs no list. */
type IdsByPart = Map<string, string | string[]>

/** Returns the list that it is in, if it is in one. */
function addTo(all: IdsByPart, part: string, id: string): string[] | undefined {
  const others = all.get(part)
  if (others === undefined) {
    all.set(part, id)
    return undefined
  }
  const ids = typeof others === "string" ? [others] : others
  if (ids !== others) all.set(part, ids)
  ids.push(id)
  return ids
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
