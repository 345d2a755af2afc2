/** Which folded parts are open. It is remembered here, since entries that are out of sight are not in the document. */
export class Folds {
  readonly #open = new Map<string, boolean>()
  #all = false
  #revealed: number | undefined

  /** @param also another entry that the part shows */
  isOpen(ordinal: number, part: string, also?: number): boolean {
    const isRevealed = this.#revealed !== undefined && (this.#revealed === ordinal || this.#revealed === also)
    return this.#open.get(`${ordinal} ${part}`) ?? (this.#all || isRevealed)
  }

  set(ordinal: number, part: string, isOpen: boolean): void {
    this.#open.set(`${ordinal} ${part}`, isOpen)
  }

  setAll(isOpen: boolean): void {
    this.#open.clear()
    this.#revealed = undefined
    this.#all = isOpen
  }

  get areAllOpen(): boolean {
    return this.#all
  }

  /** Opens everything of one entry, since what is looked for may be in there. */
  reveal(ordinal: number): void {
    this.#revealed = ordinal
  }

  clear(): void {
    this.setAll(false)
  }
}
