import type { JsonObject } from "../entry/json-object.js"
import type { Spot } from "./spots.js"

type Container = JsonObject | unknown[]

/** Makes a changed copy of a value. Unchanged parts are shared with the original, which is not modified. */
export class Draft {
  readonly #top: object
  /** Keyed by the spot of the original, since one object can be at several places; undefined for the top. */
  readonly #copies = new Map<Spot | undefined, Container>()

  constructor(top: object) {
    this.#top = top
  }

  /** Replaces the value at a spot of the original. */
  set(spot: Spot, value: unknown): void {
    setOwn(this.#writable(spot), spot.key, value)
  }

  /** Sets another key of the object that contains a spot. */
  setBeside(spot: Spot, key: string, value: unknown): void {
    setOwn(this.#writable(spot), key, value)
  }

  /** Removes a field. */
  drop(spot: Spot): void {
    delete (this.#writable(spot) as JsonObject)[spot.key]
  }

  /** The changed copy, or the original itself when nothing changed. */
  result<Top extends object>(): Top {
    return (this.#copies.get(undefined) ?? this.#top) as Top
  }

  /** The copy of the object that contains the spot, inside copies of everything above it. */
  #writable({ holder, up }: Spot): Container {
    const bottom = this.#copies.get(up)
    if (bottom) return bottom
    const made = this.#copy(holder, up)
    let child: Container = made
    for (let spot = up; spot; spot = spot.up) {
      const known = this.#copies.get(spot.up)
      const parent = known ?? this.#copy(spot.holder, spot.up)
      setOwn(parent, spot.key, child)
      if (known) break
      child = parent
    }
    return made
  }

  #copy(holder: Container, up: Spot | undefined): Container {
    const copy = Array.isArray(holder) ? [...holder] : { ...holder }
    this.#copies.set(up, copy)
    return copy
  }
}

/** Plain assignment would call the setter of `__proto__`; a stored key of that name is data. */
function setOwn(holder: Container, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}
