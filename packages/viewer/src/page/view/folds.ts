/** Which folded parts are open. It is remembered here, since entries that are out of sight are not in the document. */
export class Folds {
  readonly #open = new Map<string, { readonly isOpen: boolean; readonly change: number }>()
  #all = false
  #revealed: number | undefined
  /** Changes are numbered: what is folded up after it was revealed stays so. */
  #changes = 0
  #revealChange = 0

  /** @param also another entry that the part shows */
  isOpen(ordinal: number, part: string, also?: number): boolean {
    const isRevealed = this.#revealed !== undefined && (this.#revealed === ordinal || this.#revealed === also)
    const chosen = this.#open.get(`${ordinal} ${part}`)
    if (!chosen || (isRevealed && chosen.change < this.#revealChange)) return this.#all || isRevealed
    return chosen.isOpen
  }

  set(ordinal: number, part: string, isOpen: boolean): void {
    this.#changes += 1
    this.#open.set(`${ordinal} ${part}`, { isOpen, change: this.#changes })
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
    this.#changes += 1
    this.#revealChange = this.#changes
  }

  clear(): void {
    this.setAll(false)
  }
}
