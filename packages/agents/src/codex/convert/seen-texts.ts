/** Texts that were seen. What an earlier conversion has seen stays one text: to make a set of thousands would cost more than to search it. */
export class SeenTexts {
  readonly #earlier: string
  readonly #added = new Set<string>()

  /** @param saved by an earlier conversion */
  constructor(saved = "\n") {
    this.#earlier = saved
  }

  has(text: string): boolean {
    return this.#added.has(text) || this.#earlier.includes(`\n${JSON.stringify(text)}\n`)
  }

  add(text: string): void {
    this.#added.add(text)
  }

  get saved(): string {
    return this.#earlier + [...this.#added].map((text) => `${JSON.stringify(text)}\n`).join("")
  }
}
