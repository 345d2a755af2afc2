import type { JsonObject } from "../entry/json-object.js"
import type { Spot } from "./spots.js"

type Container = JsonObject | unknown[]

/** A changed copy of a value: what does not change is shared with the original, which stays as it is. */
export class Draft {
  readonly #top: object
  /** By the spot that holds the original: one object may stand at several places. Undefined is the top's. */
  readonly #copies = new Map<Spot | undefined, Container>()

  constructor(top: object) {
    this.#top = top
  }

  /** Puts another value at a spot of the original. */
  set(spot: Spot, value: unknown): void {
    setOwn(this.#writable(spot), spot.key, value)
  }

  /** Puts another value beside a spot, under another key of the same object. */
  setBeside(spot: Spot, key: string, value: unknown): void {
    setOwn(this.#writable(spot), key, value)
  }

  /** Takes a field out. */
  drop(spot: Spot): void {
    delete (this.#writable(spot) as JsonObject)[spot.key]
  }

  /** The changed copy, or the original itself when nothing changed. */
  result<Top extends object>(): Top {
    return (this.#copies.get(undefined) ?? this.#top) as Top
  }

  /** The copy of the spot's holder, hung into copies of everything above it. */
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
