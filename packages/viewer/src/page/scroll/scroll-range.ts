/** Browsers draw nothing beyond about 17 million pixels (Firefox) or 33 million (others). */
const TALLEST = 12_000_000
const QUARTER = TALLEST / 4

/**
 * The position within content that may be taller than the tallest element that browsers support. Up to that height, and near both
 * ends, positions equal scroll positions. Elsewhere small steps have their size, and large ones (dragging the bar) are proportional.
 */
export class ScrollRange {
  #total = 0
  #view = 0
  /** The position minus the scroll position. */
  #shift = 0
  #position = 0

  /** @param total height of the content  @param view height of the visible part; both in CSS pixels */
  resize(total: number, view: number): void {
    const wasTooTall = this.#isTooTall
    this.#total = total
    this.#view = view
    if (wasTooTall && !this.#isTooTall) this.goTo(this.place)
  }

  /** The height of the scrolled element. */
  get height(): number {
    return Math.min(this.#total, TALLEST)
  }

  /** The topmost visible position. */
  get place(): number {
    return this.#position + this.#shift
  }

  /** The offset in the scrolled element for content at a position. */
  positionOf(place: number): number {
    return place - this.#shift
  }

  /** Handles a new scroll position. @returns the scroll position to set instead, if any */
  scrolled(position: number): number | undefined {
    const isLeap = Math.abs(position - this.#position) > this.#view * 2
    this.#position = position
    if (!this.#isTooTall) return undefined
    if (isLeap) this.#shift = placeAt(position, this.#total) - position
    else if (this.#isAstray) return this.goTo(this.place)
    return undefined
  }

  /** Goes to a position. @returns the scroll position to set */
  goTo(place: number): number {
    const within = Math.max(0, Math.min(place, this.#total - this.#view))
    this.#position = this.#isTooTall ? positionAt(within, this.#total) : within
    this.#shift = within - this.#position
    return this.#position
  }

  /**
   * Moves by the growth of content above, without changing the scroll position: setting it would stop the smooth scrolling of a
   * browser.
   */
  drift(change: number): void {
    this.#shift += change
  }

  /** Corrects the scroll position, once scrolling has ended. */
  settle(): void {
    if (!this.#isTooTall) this.goTo(this.place)
  }

  get #isTooTall(): boolean {
    return this.#total > TALLEST
  }

  /** Whether only one of position and scroll position is near an end. */
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
