import { TITLE_FIELDS, type TitleHead } from "../source/record-head.js"

/** The title of a session as its lines set it: one that the user chose counts before one that a model made. */
export class Titles {
  readonly #texts = new Map<string, string>()
  readonly #hasLine: (uuid: string) => boolean
  #name = ""

  /** @param hasLine whether a line with this uuid is in the file: most summaries belong to other sessions */
  constructor(hasLine: (uuid: string) => boolean) {
    this.#hasLine = hasLine
  }

  /** The title after a line, if it changed. */
  after({ kind, text, leaf }: TitleHead): string | undefined {
    if (kind === "summary" && (leaf === undefined || !this.#hasLine(leaf))) return undefined
    this.#texts.set(kind, text)
    const before = this.#name
    this.#name = [...TITLE_FIELDS.keys()].reduce((name, one) => this.#texts.get(one) || name, "")
    return this.#name === before ? undefined : this.#name
  }
}
