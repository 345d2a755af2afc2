import { digestOf } from "../digest.js"

/** A UUID that is the same for the same texts. */
export function derivedUuid(...texts: readonly string[]): string {
  const hex = digestOf(...texts)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The ids of calls in a copy: those of the source, but for what not every API accepts, and for a second call with the same id. */
export class CallIds {
  /** By the entry and the id of a call. A compaction repeats calls. */
  readonly #known = new Map<string, string>()
  readonly #taken = new Set<string>()
  /** Of the last call with each id of the source. */
  readonly #last = new Map<string, string>()

  /** @param entry of the call */
  ofCall(entry: string, id: string): string {
    const key = JSON.stringify([entry, id])
    const isFree = CALL_ID.test(id) && !this.#taken.has(id)
    const own = this.#known.get(key) ?? (isFree ? id : `call_${digestOf(entry, id).slice(0, 32)}`)
    this.#known.set(key, own)
    this.#taken.add(own)
    this.#last.set(id, own)
    return own
  }

  /** Of the call before it that has this id. */
  ofResult(id: string): string {
    return this.#last.get(id) ?? this.ofCall("", id)
  }
}
