/** Numbers from 1 for the few texts that many records share, such as kinds and models; 0 is none. */
export class NameTable {
  readonly #numbers = new Map<string, number>()
  readonly #texts: string[] = []

  /** A new one where the text has none yet. */
  numberOf(text: string | undefined): number {
    if (text === undefined) return 0
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#texts.push(text)
    this.#numbers.set(text, number)
    return number
  }

  /** Undefined for 0. */
  textOf(number: number): string | undefined {
    return this.#texts[number - 1]
  }
}
