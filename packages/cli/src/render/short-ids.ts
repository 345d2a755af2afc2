import type { Session, SessionStorage } from "@treelog/session-core"
import { listSessions, matchesId, type StoredName } from "@treelog/session-core/adapter"

const MIN_LENGTH = 8

/** Knows how much of an id has to be shown to distinguish it from all others. */
export class ShortIds {
  readonly #known = new Set<string>()
  /** By their first characters. Each is in order once its ids are asked for: most have one id. */
  readonly #beginnings = new Map<string, { readonly ids: string[]; isSorted: boolean }>()
  /** By its last characters, each id that its end names too. */
  readonly #ends = new Map<string, string[]>()
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
      const beginning = id.slice(0, MIN_LENGTH)
      const others = this.#beginnings.get(beginning)
      if (others) {
        others.ids.push(id)
        others.isSorted = false
      } else this.#beginnings.set(beginning, { ids: [id], isSorted: true })
      if (!this.#isEndEnough(id)) continue
      const end = id.slice(-MIN_LENGTH)
      const same = this.#ends.get(end)
      if (same) same.push(id)
      else this.#ends.set(end, [id])
    }
  }

  /** The shortest part of at least 8 characters that fits no other id: its beginning, or else its end; all of an id that is not known. */
  of(id: string): string {
    if (!this.#known.has(id)) return id
    const shared = this.#sharedBeginning(id)
    const isEndEnough = this.#isEndEnough(id)
    for (let length = MIN_LENGTH; length < id.length; length++) {
      const beginning = id.slice(0, length)
      if (length > shared && !this.#endsOther(beginning, id)) return beginning
      const end = id.slice(-length)
      if (isEndEnough && !this.#beginsOther(end, id) && !this.#endsOther(end, id)) return end
    }
    return id
  }

  /** How many characters an id has in common, from its first on, with the one that has most. */
  #sharedBeginning(id: string): number {
    const ids = this.#beginningAs(id)
    const place = insertionIndex(id, ids)
    return Math.max(sharedBeginning(id, ids[place - 1]), sharedBeginning(id, ids[place + 1]))
  }

  /** Whether another id begins with the part. */
  #beginsOther(part: string, id: string): boolean {
    const ids = this.#beginningAs(part)
    const place = insertionIndex(part, ids)
    // Ids that begin with it are next to each other.
    return [ids[place], ids[place + 1]].some((other) => other !== id && other?.startsWith(part))
  }

  /** Whether another id ends with the part, and is named by its end. */
  #endsOther(part: string, id: string): boolean {
    return this.#ends.get(part.slice(-MIN_LENGTH))?.some((other) => other !== id && other.endsWith(part)) ?? false
  }

  /** Those that begin with the same 8 characters, in order. */
  #beginningAs(text: string): readonly string[] {
    const found = this.#beginnings.get(text.slice(0, MIN_LENGTH))
    if (found && !found.isSorted) {
      found.ids.sort()
      found.isSorted = true
    }
    return found?.ids ?? []
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

/** The index of a text in a sorted list, or the one where it would be inserted. */
function insertionIndex(text: string, ids: readonly string[]): number {
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
  async short(...storages: readonly SessionStorage[]): Promise<ShortIds> {
    if (!this.#isNamed)
      for (const storage of storages) for await (const { id } of listSessions(storage, undefined)) this.#ids.push(id)
    return shortSessionIds(this.#ids)
  }
}
