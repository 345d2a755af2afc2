import type { Spot } from "./spots.js"

/** Makes a changed copy of a value. Unchanged parts are shared with the original, which is not modified. */
export class Draft {
  readonly #top: object
  /** Keyed by the spot of the original, since one object can be at several places; undefined for the top. */
  readonly #copies = new Map<Spot | undefined, object>()

  constructor(top: object) {
    this.#top = top
  }

  /** Sets the value at a spot of the original, or at another key beside it; undefined removes the field. */
  set(spot: Spot, value: unknown, key = spot.key): void {
    const missing: Spot[] = []
    for (let at: Spot | undefined = spot; at && !this.#copies.has(at.up); at = at.up) missing.push(at)
    for (const { holder, up } of missing.reverse()) {
      const copy = Array.isArray(holder) ? [...holder] : { ...holder }
      this.#copies.set(up, copy)
      if (up) setOwn(this.#copies.get(up.up) as object, up.key, copy)
    }
    setOwn(this.#copies.get(spot.up) as object, key, value)
  }

  /** The changed copy, or the original itself when nothing changed. */
  result<Top extends object>(): Top {
    return (this.#copies.get(undefined) ?? this.#top) as Top
  }
}

/** Plain assignment would call the setter of `__proto__`; a stored key of that name is data. */
function setOwn(holder: object, key: string | number, value: unknown): void {
  if (value === undefined) delete (holder as Record<string | number, unknown>)[key]
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}
