import { isTreelogError, type Session, type SessionEntry, type SessionSource } from "@treelog/session-core"
import { listSessions, matchesId } from "@treelog/session-core/adapter"

const MIN_LENGTH = 8

/** Knows how much of an id has to be shown to distinguish it from all others. */
export class ShortIds {
  readonly #known = new Set<string>()
  readonly #isEndEnough: (id: string) => boolean
  /** By its last characters, each id that its end names too. */
  readonly #ends = new Map<string, string[]>()
  /** Undefined where an id is new. */
  #sorted: readonly string[] | undefined

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
      this.#sorted = undefined
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
    const isEndEnough = this.#isEndEnough(id)
    for (let length = MIN_LENGTH; length < id.length; length++) {
      const [beginning, end] = [id.slice(0, length), id.slice(-length)]
      if (!this.#fitsOther(beginning, id)) return beginning
      if (isEndEnough && !this.#fitsOther(end, id)) return end
    }
    return id
  }

  /** Whether another id begins with the part, or ends with it and is named by its end. */
  #fitsOther(part: string, id: string): boolean {
    this.#sorted ??= [...this.#known].sort()
    // Ids that begin with it are next to each other.
    for (let place = insertionIndex(part, this.#sorted); ; place++) {
      const other = this.#sorted[place]
      if (!other?.startsWith(part)) break
      // Of a converted entry, what stands beside it has its id, too: `ID:sent`. A part of the id means the entry itself.
      if (other !== id && !other.startsWith(`${id}:`)) return true
    }
    return this.#ends.get(part.slice(-MIN_LENGTH))?.some((other) => other !== id && other.endsWith(part)) ?? false
  }
}

export function shortIds(ids: Iterable<string>): (id: string) => string {
  const known = new ShortIds(ids)
  return (id) => known.of(id)
}

/** Short ids of sessions, which the ends of their ids name, too. */
export function shortSessionIds(ids: Iterable<string>): ShortIds {
  return new ShortIds(ids, (id) => matchesId(id.slice(-MIN_LENGTH), id))
}

export function shortEntryIds(session: Session): (id: string) => string {
  return shortIds(idsOf(session.iterateEntries()))
}

function* idsOf(entries: Iterable<SessionEntry>): Generator<string> {
  for (const { id } of entries) yield id
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

/** What has to be shown of each id in some storages, as far as these can be listed: by the names of files, or by the sessions where a name has no id. */
export async function storedShortIds(...storages: readonly SessionSource[]): Promise<ShortIds> {
  const ids: string[] = []
  let isNamed = true
  for (const storage of storages)
    await ifListed(async () => {
      for await (const { id, error } of storage.list()) {
        if (id !== undefined && !error) ids.push(id)
        isNamed &&= id !== undefined || error !== undefined
      }
    })
  for (const storage of isNamed ? [] : storages)
    await ifListed(async () => {
      for await (const { id } of listSessions(storage, undefined)) ids.push(id)
    })
  return shortSessionIds(ids)
}

/** None of the ids of a storage is shown that cannot be listed. */
async function ifListed(list: () => Promise<void>): Promise<void> {
  try {
    await list()
  } catch (error) {
    if (!isTreelogError(error)) throw error
  }
}
