/** Browsers draw nothing beyond some 17 million pixels (Firefox) or 33 million (the others). */
const TALLEST = 12_000_000
const QUARTER = TALLEST / 4

/**
 * Where one is in something that may be taller than browsers can make an element. Up to that height, and near both ends, places
 * are scroll positions. Elsewhere a small step still is the same step, and a leap (the bar was dragged) goes as far in proportion.
 */
export class ScrollRange {
  #total = 0
  #view = 0
  /** What a place is more than the scroll position. */
  #shift = 0
  #position = 0

  /** @param total height of everything  @param view height of what is seen of it; both in CSS pixels */
  resize(total: number, view: number): void {
    const wasTooTall = this.#isTooTall
    this.#total = total
    this.#view = view
    if (wasTooTall && !this.#isTooTall) this.goTo(this.place)
  }

  /** The height that the scrolled element has to have. */
  get height(): number {
    return Math.min(this.#total, TALLEST)
  }

  /** The uppermost place that is seen. */
  get place(): number {
    return this.#position + this.#shift
  }

  /** Where something at a place has to be put. */
  positionOf(place: number): number {
    return place - this.#shift
  }

  /** Takes notice of a new scroll position. @returns the position that has to be set instead, if any */
  scrolled(position: number): number | undefined {
    const isLeap = Math.abs(position - this.#position) > this.#view * 2
    this.#position = position
    if (!this.#isTooTall) return undefined
    if (isLeap) this.#shift = placeAt(position, this.#total) - position
    else if (this.#isAstray) return this.goTo(this.place)
    return undefined
  }

  /** Goes to a place. @returns the scroll position */
  goTo(place: number): number {
    const within = Math.max(0, Math.min(place, this.#total - this.#view))
    this.#position = this.#isTooTall ? positionAt(within, this.#total) : within
    this.#shift = within - this.#position
    return this.#position
  }

  /**
   * Moves by as much as something above has grown, and leaves the scroll position as it is: setting it would end the movement that a
   * browser makes of a wheel or a key.
   */
  drift(change: number): void {
    this.#shift += change
  }

  /** Makes the scroll position fit again, once nothing moves any more. */
  settle(): void {
    if (!this.#isTooTall) this.goTo(this.place)
  }

  get #isTooTall(): boolean {
    return this.#total > TALLEST
  }

  /** An end came near of the one, and not of the other. */
  get #isAstray(): boolean {
    const { place } = this
    const atTop = this.#position < this.#view !== place < this.#view
    const atEnd = this.#position > TALLEST - 2 * this.#view !== place > this.#total - 2 * this.#view
    return atTop || atEnd
  }
}

function placeAt(position: number, total: number): number {
  if (position <= QUARTER) return position
  if (position >= TALLEST - QUARTER) return position + total - TALLEST
  return Math.round(QUARTER + ((position - QUARTER) / (TALLEST - 2 * QUARTER)) * (total - 2 * QUARTER))
}

function positionAt(place: number, total: number): number {
  if (place <= QUARTER) return place
  if (place >= total - QUARTER) return place - total + TALLEST
  return Math.round(QUARTER + ((place - QUARTER) / (total - 2 * QUARTER)) * (TALLEST - 2 * QUARTER))
}
