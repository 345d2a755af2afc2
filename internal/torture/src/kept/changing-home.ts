import type { Random } from "@treelog-internal/test-kit/generator"
import { WRITTEN_AGENTS, type WrittenAgent } from "./agent-homes.js"

/** A session of an agent, as it is on the disk. */
export interface WrittenSession {
  readonly agent: WrittenAgent
  readonly id: string
  /** Undefined before it is written, and after it was deleted. */
  texts: readonly string[] | undefined
  place: number
}

/** The word in the text of each message that no other has. */
export const WORD = /keepmark\d{7}/g

const SESSIONS_OF_EACH = 10

/** What agents do to a session, as often as it stands here. */
const CHANGES = [..."aaaaa", "cut", "rewritten", "deleted", "shrunk", "moved"].map((kind) =>
  kind === "a" ? "appended" : kind,
)

/** A home in which many agents write, cut, rewrite, shrink, delete, rename and migrate their sessions at random. */
export class ChangingHome {
  /** How many messages were written. */
  messages = 0
  readonly sessions: readonly WrittenSession[] = WRITTEN_AGENTS.flatMap((agent) =>
    Array.from({ length: SESSIONS_OF_EACH }, (_, at) => ({
      ...{ agent, id: agent.idOf(at + 1), texts: undefined as WrittenSession["texts"], place: 0 },
    })),
  )
  readonly #folder: string
  readonly #random: Random
  readonly #most: number
  readonly #count: (what: string) => void

  /**
   * @param most how many messages are written at a time
   * @param count called with each thing that was done
   */
  constructor(folder: string, random: Random, most: number, count: (what: string) => void) {
    this.#folder = folder
    this.#random = random
    this.#most = most
    this.#count = count
  }

  /** The sessions by the words of the messages that they have now. */
  present(): Map<string, WrittenSession> {
    const found = new Map<string, WrittenSession>()
    for (const session of this.sessions)
      for (const text of session.texts ?? []) for (const [word] of text.matchAll(WORD)) found.set(word, session)
    return found
  }

  async change(session: WrittenSession): Promise<void> {
    const { agent, id, texts } = session
    const random = this.#random
    const kind = texts ? random.pick(CHANGES) : "appended"
    if (kind === "moved" && texts) return this.#moveOrMigrate(session, texts)
    if (!texts || kind === "appended") session.texts = [...(texts ?? []), ...this.#newTexts()]
    else if (kind === "cut") session.texts = texts.slice(0, random.below(texts.length))
    else if (kind === "rewritten") session.texts = texts.map((text) => (random.chance(1 / 8) ? this.#newText() : text))
    else if (kind === "shrunk") session.texts = [...this.#newTexts(), ...texts.slice(random.below(texts.length))]
    else session.texts = undefined
    if (session.texts?.length === 0) session.texts = [this.#newText()]
    this.#count(kind)
    await agent.write(this.#folder, id, session.texts, session.place)
  }

  async #moveOrMigrate(session: WrittenSession, texts: readonly string[]): Promise<void> {
    const { agent, id, place } = session
    if (agent.isMovable) {
      session.place = 1 - place
      agent.move?.(this.#folder, id, place, session.place)
      this.#count("renamed")
    } else if (agent.migrate) {
      await agent.migrate(this.#folder)
      this.#count("databases migrated")
    } else await agent.write(this.#folder, id, texts, place)
  }

  #newTexts(): string[] {
    return Array.from({ length: this.#random.between(1, this.#most) }, () => this.#newText())
  }

  #newText(): string {
    return `The keepmark${String(this.messages++).padStart(7, "0")} of the ${this.#random.below(1000)} planks`
  }
}
