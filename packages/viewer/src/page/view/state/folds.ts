/** The state of all folds. It is kept here, since entries that are not visible are not in the document. */
export class Folds {
  readonly #open = new Map<string, { readonly isOpen: boolean; readonly change: number }>()
  /** Undefined until all parts were expanded or collapsed. */
  #all: boolean | undefined
  #revealed: number | undefined
  /** Changes are numbered, so that a part that is collapsed after its entry was revealed stays collapsed. */
  #changes = 0
  #revealChange = 0

  /**
   * @param also other entries that are shown in the part
   * @param atFirst whether the part is open before anybody has changed that
   */
  isOpen(ordinal: number, part: string, also: readonly (number | undefined)[] = [], atFirst = false): boolean {
    const isRevealed = this.#revealed !== undefined && (this.#revealed === ordinal || also.includes(this.#revealed))
    const chosen = this.#open.get(`${ordinal} ${part}`)
    if (!chosen || (isRevealed && chosen.change < this.#revealChange)) return isRevealed || (this.#all ?? atFirst)
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
    return this.#all === true
  }

  /** Opens all parts of an entry, since a search hit may be in one of them. */
  reveal(ordinal: number): void {
    this.#revealed = ordinal
    this.#changes += 1
    this.#revealChange = this.#changes
  }
}
