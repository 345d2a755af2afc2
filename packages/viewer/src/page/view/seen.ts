/** The visible part of the branch. It changes with every scroll, so that only listeners are notified, not the whole page. */
export class Seen {
  readonly #listeners = new Set<() => void>()
  first: number | undefined
  last: number | undefined

  set(first: number | undefined, last: number | undefined): void {
    if (first === this.first && last === this.last) return
    this.first = first
    this.last = last
    for (const listener of this.#listeners) listener()
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
