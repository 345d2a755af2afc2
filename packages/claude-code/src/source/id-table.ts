/** Numbers from 1 for texts that several records share, such as ids, the same for the same text; 0 is none. */
export class IdTable {
  readonly #numbers = new Map<string, number>()
  readonly #texts: string[] = []

  /** The number of a text, a new one where it has none yet. */
  numberOf(text: string | undefined): number {
    if (text === undefined) return 0
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#texts.push(text)
    this.#numbers.set(text, number)
    return number
  }

  /** The text with this number; undefined for 0. */
  textOf(number: number): string | undefined {
    return this.#texts[number - 1]
  }
}
