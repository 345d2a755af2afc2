import type { TitleState } from "../source/before.js"
import { TITLE_FIELDS, type TitleHead } from "../source/record-head.js"

/** The title of a session as its lines set it: one that the user chose counts before one that a model made. */
export class Titles {
  readonly #texts: Map<string, string>
  readonly #hasLine: (uuid: string) => boolean
  #name: string

  /** @param hasLine whether a line with this uuid is in the file: most summaries belong to other sessions */
  constructor(hasLine: (uuid: string) => boolean, { texts, name }: TitleState = { texts: [], name: "" }) {
    this.#hasLine = hasLine
    this.#texts = new Map(texts)
    this.#name = name
  }

  get state(): TitleState {
    return { texts: [...this.#texts], name: this.#name }
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
