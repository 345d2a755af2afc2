import type { TitleHead } from "../source/record-head.js"

/** From the weakest to the strongest. */
const ORDER = ["summary", "ai-title", "agent-name", "custom-title"] as const

/** The title of a session as its lines set it: one that the user chose counts before one that a model made. */
export class Titles {
  readonly #texts = new Map<TitleHead["source"], string>()
  readonly #hasLine: (uuid: string) => boolean
  #name = ""

  /** @param hasLine whether a line with this uuid is in the file: most summaries belong to other sessions */
  constructor(hasLine: (uuid: string) => boolean) {
    this.#hasLine = hasLine
  }

  /** The title after a line, if it changed. */
  after({ source, text, leaf }: TitleHead): string | undefined {
    if (source === "summary" && (leaf === undefined || !this.#hasLine(leaf))) return undefined
    this.#texts.set(source, text)
    const before = this.#name
    this.#name = ORDER.reduce((name, kind) => this.#texts.get(kind) || name, "")
    return this.#name === before ? undefined : this.#name
  }
}
