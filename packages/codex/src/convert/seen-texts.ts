/** Texts that were seen. Those of an earlier conversion are one text, so that going on does not cost as much as there are. */
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
