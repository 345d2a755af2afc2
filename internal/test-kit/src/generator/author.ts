import { type Fields, formatEntry, type KeyOrder } from "./format-entry.js"
import { Random } from "./random.js"
import type { WholeShape } from "./session-shape.js"
import { TextSource } from "./text-source.js"

/** An entry that others point at: by its id, or by its place in the file. */
export interface Mark {
  readonly id: string
  /** Place among the entries of the file, from 0. */
  readonly ordinal: number
}

/** A point of the conversation to which one may come back. */
export interface RestPoint extends Mark {
  /** Where the last turns on the path to it began, oldest first. */
  readonly turns: readonly Mark[]
  readonly settings: Settings
}

const TURNS_KEPT = 12
const REST_POINTS_KEPT = 60

/** Writes the entries of one session, one after the other: it knows the time, the leaf, and what may be pointed at. */
export class Author {
  readonly shape: WholeShape
  readonly random: Random
  readonly text: TextSource
  /** Entries written so far. */
  count = 0
  /** Milliseconds since 1970. */
  now: number
  #leafId: string | null = null
  #turns: readonly Mark[] = []
  #settings = NOTHING_SET
  readonly #restPoints: RestPoint[] = []

  constructor(shape: WholeShape) {
    this.shape = shape
    this.random = new Random(shape.seed)
    this.text = new TextSource(this.random)
    this.now = shape.start
  }

  get leafId(): string | null {
    return this.#leafId
  }

  /** Where the last turns of this branch began, oldest first. */
  get turns(): readonly Mark[] {
    return this.#turns
  }

  /** What is set at the leaf. */
  get settings(): Settings {
    return this.#settings
  }

  get restPoints(): readonly RestPoint[] {
    return this.#restPoints
  }

  /** The line of a new entry under the leaf, which it becomes. */
  add(type: string, fields: Fields): string {
    const id = entryId(this.shape, this.count)
    const head = { id, parentId: this.#leafId, timestamp: new Date(this.now).toISOString() }
    const line = formatEntry(this.#order, type, head, fields)
    this.#leafId = id
    this.#settings = settingsAfter(this.#settings, type, fields)
    this.count++
    return line
  }

  /** Lets up to that many milliseconds pass, and returns the time. */
  after(milliseconds: number): number {
    this.now += this.random.between(0, milliseconds)
    return this.now
  }

  /** The next entry begins a turn. */
  beginTurn(): void {
    const turn = { id: entryId(this.shape, this.count), ordinal: this.count }
    this.#turns = [...this.#turns.slice(1 - TURNS_KEPT), turn]
  }

  /** The leaf is a point to come back to. */
  rest(): void {
    if (this.#leafId === null) return
    this.#restPoints.push({ id: this.#leafId, ordinal: this.count - 1, turns: this.#turns, settings: this.#settings })
    // The very first ones stay, so that some branches begin far back.
    if (this.#restPoints.length > REST_POINTS_KEPT) this.#restPoints.splice(4, 1)
  }

  goTo(point: RestPoint): void {
    this.#leafId = point.id
    this.#turns = point.turns
    this.#settings = point.settings
  }

  /** Before everything: the next entry is a root. */
  goToStart(): void {
    this.#leafId = null
    this.#turns = []
    this.#settings = NOTHING_SET
  }

  get #order(): KeyOrder {
    const { style, entries, grown } = this.shape
    if (style === "pi-v1") return "no-ids"
    if (style === "treelog") return "head-first"
    return style === "pi-migrated" && this.count < entries - grown ? "ids-last" : "pi"
  }
}

/** 8 hex digits: another one for each place, since an odd multiplier takes no two numbers to the same one. */
function entryId({ seed, idPrefix }: WholeShape, ordinal: number): string {
  const mixed = Math.imul(ordinal + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b)
  return idPrefix + (mixed >>> 0).toString(16).padStart(8, "0")
}

/** What is set at a point of the conversation, in the words in which treelog's compactions carry it. */
export interface Settings {
  readonly thinkingLevel: string
  readonly model: { readonly provider: string; readonly modelId: string } | null
  readonly models: Readonly<Record<string, string>>
  readonly mode: "none"
  readonly injectedTtsrRules: readonly string[]
  readonly defaultModelIsExplicit: boolean
}

const NOTHING_SET: Settings = {
  thinkingLevel: "off",
  model: null,
  models: {},
  mode: "none",
  injectedTtsrRules: [],
  defaultModelIsExplicit: false,
}

/** What is set behind an entry, of what the style `treelog` writes (FORMAT.md, section 6, step 3). */
function settingsAfter(before: Settings, type: string, fields: Fields): Settings {
  if (type === "thinking_level_change") return { ...before, thinkingLevel: String(fields.thinkingLevel) }
  if (type === "model_change") {
    const [provider, modelId] = [String(fields.provider), String(fields.modelId)]
    const models = { default: `${provider}/${modelId}` }
    return { ...before, model: { provider, modelId }, models, defaultModelIsExplicit: true }
  }
  const message = type === "message" ? (fields.message as Fields) : undefined
  return message?.role === "assistant" ? answered(before, String(message.provider), String(message.model)) : before
}

/** An answer has a model, which is the default one unless it was set explicitly. */
function answered(before: Settings, provider: string, modelId: string): Settings {
  if (before.model?.provider === provider && before.model.modelId === modelId) return before
  const models = before.defaultModelIsExplicit ? before.models : { default: `${provider}/${modelId}` }
  return { ...before, model: { provider, modelId }, models }
}
