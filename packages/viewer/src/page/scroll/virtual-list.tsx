// A virtual list: only the visible rows are in the document. Heights are estimated until a row is measured; when a row above has
// another height than estimated, the list scrolls by the difference, so that the visible rows do not move.

import { Component, type ComponentChildren, createRef, type JSX } from "preact"
import { RowHeights } from "./row-heights.js"
import { ScrollRange } from "./scroll-range.js"

export interface VirtualListProps {
  readonly count: number
  /** Has another value when the rows change. */
  readonly rows: unknown
  /** The estimated height of a row in CSS pixels, used until it is measured. */
  estimate(row: number): number
  /** The key by which the height of a row is kept when the rows change. */
  keyOf(row: number): string | number
  renderRow(row: number): ComponentChildren
  /** Called with the visible rows. */
  onSeen?(first: number, last: number): void
  /** Whether to stay at the end when rows are added. */
  readonly follows?: boolean
  readonly attributes: JSX.HTMLAttributes<HTMLDivElement>
}

interface Window {
  readonly first: number
  /** Index after the last row. */
  readonly end: number
}

/** Height of the rendered rows above and below the visible part. CSS pixels. */
const MARGIN = 700

/** Scrolling has ended after this time without a scroll event. Milliseconds. */
const REST = 150

/** A position in the top part of the view of this share needs no scrolling; any other is scrolled to its end. */
const SEEN_AT_ONCE = 0.75
const PLACE_AT = 0.35

/** Rows on paper: more would take the browser minutes. */
const MOST_PRINTED = 2_000

/** Space above a row that was scrolled to. CSS pixels. */
const GAP = 12

export class VirtualList extends Component<VirtualListProps, Window> {
  override state: Window = { first: 0, end: 0 }
  readonly #scroller = createRef<HTMLDivElement>()
  readonly #space = createRef<HTMLDivElement>()
  readonly #shown = createRef<HTMLDivElement>()
  readonly #range = new ScrollRange()
  readonly #measured = new Map<string | number, number>()
  readonly #observed = new WeakSet<Element>()
  #heights = new RowHeights(0, () => 0)
  #width = 0
  #view = 0
  #wasAtEnd = false
  readonly #rowSizes = new ResizeObserver((sizes) => this.#measure(sizes))
  readonly #viewSize = new ResizeObserver(() => this.#resize())
  /** The row to hold at its distance from the top until the rows around it are measured. */
  #target: { readonly row: number; readonly distance: number } | "end" | undefined
  /** What to do with rows once they are rendered. */
  #waiting: { readonly row: number; act(rendered: HTMLElement): void }[] = []
  #isPrinting = false
  #moving: ReturnType<typeof setTimeout> | undefined

  /** Scrolls a row to the top, or to the nearest visible position. */
  scrollToRow(row: number, where: "top" | "nearest" = "top"): void {
    this.#waiting = []
    this.#scrollTo(row, where)
  }

  #scrollTo(row: number, where: "top" | "nearest"): void {
    const top = this.#heights.top(row)
    const bottom = top + this.#heights.height(row)
    if (where === "nearest") {
      const { place } = this.#range
      if (top >= place && bottom <= place + this.#view) return
      const isBelow = top > place && bottom - top < this.#view
      this.#goTo(row, isBelow ? this.#view - (bottom - top) - GAP : GAP)
    } else this.#goTo(row, GAP)
  }

  /**
   * Scrolls to a range within a row, once the row is rendered.
   * @param placeIn finds the range; if it returns undefined, nothing is scrolled
   */
  showInRow(row: number, placeIn: (rendered: HTMLElement) => Range | undefined): void {
    this.#onceRendered(row, (rendered) => {
      const place = placeIn(rendered)
      if (!place) return
      const from = place.getBoundingClientRect().top - rendered.getBoundingClientRect().top
      if (GAP + from <= this.#view * SEEN_AT_ONCE) return
      // While its height is only estimated, the row could end above the range.
      const height = rendered.parentElement?.getBoundingClientRect().height ?? 0
      this.#measured.set(this.props.keyOf(row), height)
      this.#heights.set(row, height)
      this.#range.resize(this.#heights.total, this.#view)
      this.#goTo(row, this.#view * PLACE_AT - from)
    })
  }

  /** Focuses a row and scrolls to it, unless the focus has moved away from `from`. */
  focusRow(row: number, from: Element | null): void {
    this.#scrollTo(row, "nearest")
    this.#onceRendered(row, (rendered) => {
      const { activeElement, body } = document
      if (activeElement === from || activeElement === body) rendered.focus({ preventScroll: true })
    })
  }

  /** Preact may call back before the rows of the new position are rendered, so this waits for the row itself. */
  #onceRendered(row: number, act: (rendered: HTMLElement) => void): void {
    this.#waiting.push({ row, act })
    this.forceUpdate()
  }

  #actOnRendered(): void {
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ row }) => !this.elementOf(row))
    for (const { row, act } of waiting) {
      const rendered = this.elementOf(row)
      if (rendered) act(rendered)
    }
  }

  /** The element of a row, behind a heading that it may have; undefined if it is not rendered. */
  elementOf(row: number): HTMLElement | undefined {
    const found = this.#shown.current?.querySelector(`:scope > [data-row="${row}"] > :last-child`)
    return found instanceof HTMLElement ? found : undefined
  }

  get element(): HTMLDivElement | null {
    return this.#scroller.current
  }

  override componentWillMount(): void {
    this.#layOut()
  }

  override componentDidMount(): void {
    if (this.#scroller.current) this.#viewSize.observe(this.#scroller.current)
    window.addEventListener("beforeprint", this.#printing)
    window.addEventListener("afterprint", this.#printed)
    this.#resize()
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#moving)
    window.removeEventListener("beforeprint", this.#printing)
    window.removeEventListener("afterprint", this.#printed)
    this.#viewSize.disconnect()
    this.#rowSizes.disconnect()
  }

  override componentWillReceiveProps(next: Readonly<VirtualListProps>): void {
    if (next.rows === this.props.rows && next.count === this.props.count) return
    this.#waiting = []
    this.#follow()
    this.#wasAtEnd = this.#isAtEnd
    const first = this.#heights.rowAt(this.#range.place)
    const kept = this.#heights.count > 0 ? this.props.keyOf(first) : undefined
    const offset = this.#range.place - this.#heights.top(first)
    this.#layOut(next)
    if (next.count > first && next.keyOf(first) === kept) this.#range.goTo(this.#heights.top(first) + offset)
  }

  override componentDidUpdate(before: Readonly<VirtualListProps>): void {
    if (before.rows !== this.props.rows && this.props.follows && this.#wasAtEnd) this.#range.goTo(this.#heights.total)
    this.#apply()
    this.#observe()
    this.#actOnRendered()
  }

  override render(): JSX.Element {
    const { renderRow, keyOf, count } = this.props
    const attributes = { ...this.props.attributes, onScroll: this.#scrolled, onKeyDown: this.#pressed }
    const rows: JSX.Element[] = []
    const end = Math.min(this.state.end, count)
    for (let row = Math.min(this.state.first, end); row < end; row++)
      rows.push(
        <div class="list-row" key={keyOf(row)} data-row={row} data-last={row === count - 1 || undefined}>
          {renderRow(row)}
        </div>,
      )
    return (
      <div {...attributes} ref={this.#scroller}>
        <div class="list-space" ref={this.#space}>
          <div class="list-shown" ref={this.#shown}>
            {rows}
          </div>
        </div>
      </div>
    )
  }

  readonly #scrolled = (): void => {
    this.#follow()
    this.#update()
  }

  /** Takes over the position that the user scrolled to. Its event may come after a timer: setting the position then would undo it. */
  #follow(): void {
    const scroller = this.#scroller.current
    if (!scroller || Math.abs(scroller.scrollTop - this.#range.positionOf(this.#range.place)) <= 1) return
    this.#target = undefined
    clearTimeout(this.#moving)
    this.#moving = setTimeout(this.#rested, REST)
    const instead = this.#range.scrolled(scroller.scrollTop)
    if (instead !== undefined) scroller.scrollTop = instead
  }

  /** Called when scrolling has ended. */
  readonly #rested = (): void => {
    this.#moving = undefined
    this.#follow()
    if (this.#moving !== undefined) return
    this.#range.settle()
    this.#apply()
  }

  /** Home and End jump at once: smooth scrolling would aim at the estimated end. */
  readonly #pressed = (event: KeyboardEvent): void => {
    this.props.attributes.onKeyDown?.call(event.currentTarget as never, event as never)
    if (event.defaultPrevented || event.ctrlKey || event.metaKey) return
    if (event.target instanceof Element && event.target.closest("button, input, pre, table")) return
    if (event.key === "Home") this.scrollToRow(0)
    else if (event.key === "End") this.#goToEnd()
    else return
    event.preventDefault()
    // The row with the focus leaves the document: the focus goes to the row that comes.
    if (event.target !== event.currentTarget && this.props.count > 0)
      this.#onceRendered(event.key === "Home" ? 0 : this.props.count - 1, (row) => row.focus({ preventScroll: true }))
  }

  /** Paper does not scroll: all rows are rendered. */
  readonly #printing = (): void => {
    this.#isPrinting = true
    this.setState({ first: 0, end: Math.min(this.props.count, MOST_PRINTED) })
  }

  readonly #printed = (): void => {
    this.#isPrinting = false
    this.#update()
  }

  #goToEnd(): void {
    this.#target = "end"
    this.#range.goTo(this.#heights.total)
    this.#apply()
    this.#update()
  }

  #layOut({ count, estimate, keyOf }: VirtualListProps = this.props): void {
    this.#heights = new RowHeights(count, (row) => this.#measured.get(keyOf(row)) ?? estimate(row))
    this.#range.resize(this.#heights.total, this.#view)
    this.setState(this.#window())
  }

  #goTo(row: number, distance: number): void {
    this.#target = { row, distance }
    this.#range.goTo(this.#heights.top(row) - distance)
    this.#apply()
    this.#update()
  }

  #resize(): void {
    const scroller = this.#scroller.current
    if (!scroller) return
    this.#follow()
    this.#view = scroller.clientHeight
    // Heights depend on the width.
    if (Math.abs(scroller.clientWidth - this.#width) > 1) this.#measured.clear()
    this.#width = scroller.clientWidth
    this.#range.resize(this.#heights.total, this.#view)
    this.#apply()
    this.#update()
    this.#observe()
  }

  #measure(sizes: readonly ResizeObserverEntry[]): void {
    this.#follow()
    const wasAtEnd = this.#isAtEnd
    let isFirstSight = false
    let above = 0
    let changed = false
    for (const { target, borderBoxSize } of sizes) {
      const row = Number((target as HTMLElement).dataset.row)
      const height = borderBoxSize[0]?.blockSize ?? 0
      if (!target.isConnected || row >= this.props.count || height === 0) continue
      const key = this.props.keyOf(row)
      if (!this.#measured.has(key)) isFirstSight = true
      this.#measured.set(key, height)
      const isAbove = this.#heights.top(row) + this.#heights.height(row) <= this.#range.place
      const change = this.#heights.set(row, height)
      if (change === 0) continue
      changed = true
      if (isAbove) above += change
    }
    if (!changed) return
    this.#range.resize(this.#heights.total, this.#view)
    if (this.#target === "end") this.#range.goTo(this.#heights.total)
    else if (this.#target) this.#range.goTo(this.#heights.top(this.#target.row) - this.#target.distance)
    // Stays at the end when heights are measured, unless that is the start too; but content that is expanded there opens downwards.
    else if (wasAtEnd && (this.props.follows || (isFirstSight && this.#range.place > 0)))
      this.#range.goTo(this.#heights.total)
    else if (above !== 0) {
      this.#range.drift(above)
      if (this.#moving === undefined) this.#range.settle()
    }
    this.#apply()
    this.#update()
  }

  /** Updates height, scroll position and rows. */
  #apply(): void {
    const scroller = this.#scroller.current
    if (!scroller || !this.#space.current || !this.#shown.current) return
    this.#space.current.style.height = `${this.#range.height}px`
    const first = Math.min(this.state.first, this.props.count)
    this.#shown.current.style.transform = `translateY(${this.#range.positionOf(this.#heights.top(first))}px)`
    const position = this.#range.positionOf(this.#range.place)
    if (Math.abs(scroller.scrollTop - position) >= 1) scroller.scrollTop = position
  }

  #update(): void {
    if (this.#isPrinting) return
    const { first, end } = this.#window()
    if (first !== this.state.first || end !== this.state.end) this.setState({ first, end })
    const { place } = this.#range
    this.props.onSeen?.(this.#heights.rowAt(place), this.#heights.rowAt(place + this.#view))
  }

  #window(): Window {
    if (this.#heights.count === 0) return { first: 0, end: 0 }
    const { place } = this.#range
    const view = this.#view || 800
    return { first: this.#heights.rowAt(place - MARGIN), end: this.#heights.rowAt(place + view + MARGIN) + 1 }
  }

  #observe(): void {
    for (const row of this.#shown.current?.children ?? []) {
      if (this.#observed.has(row)) continue
      this.#observed.add(row)
      this.#rowSizes.observe(row)
    }
  }

  get #isAtEnd(): boolean {
    return this.#range.place + this.#view >= this.#heights.total - 24
  }
}
