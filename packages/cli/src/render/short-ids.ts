import type { Session } from "@treelog/session-core"

const LEAST = 8

/** Knows how much of an id has to be shown to tell it from all the others. */
export class ShortIds {
  #sorted: string[]

  constructor(ids: Iterable<string>) {
    this.#sorted = sorted(ids)
  }

  /** Most are known already. */
  add(ids: readonly string[]): void {
    const others = ids.filter((id) => this.#sorted[this.#placeOf(id)] !== id)
    if (others.length > 0) this.#sorted = sorted([...this.#sorted, ...others])
  }

  /** The shortest beginning, of at least 8 characters, that no other id has; all of an id that is not known. */
  of(id: string): string {
    const place = this.#placeOf(id)
    if (this.#sorted[place] !== id) return id
    const shared = Math.max(sharedLength(id, this.#sorted[place - 1]), sharedLength(id, this.#sorted[place + 1]))
    return id.slice(0, Math.max(LEAST, shared + 1))
  }

  /** Where the id stands, or would. */
  #placeOf(id: string): number {
    let [from, to] = [0, this.#sorted.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#sorted[middle] as string) < id) from = middle + 1
      else to = middle
    }
    return from
  }
}

export function shortIds(ids: Iterable<string>): (id: string) => string {
  const known = new ShortIds(ids)
  return (id) => known.of(id)
}

/** The same for the entries of a session. */
export function shortEntryIds(session: Session): (id: string) => string {
  return shortIds(session.getEntries().map(({ id }) => id))
}

/** Each once. */
function sorted(ids: Iterable<string>): string[] {
  const all = [...ids].sort()
  return all.filter((id, index) => id !== all[index - 1])
}

function sharedLength(a: string, b: string | undefined): number {
  if (b === undefined) return 0
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}
