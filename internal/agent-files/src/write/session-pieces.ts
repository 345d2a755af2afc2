import { isEntry, type Session, type SessionEntry } from "@treelog/session-core"
import { kindOf, partOf } from "@treelog/session-core/adapter"
import { isObject, type Json, objectsIn } from "../json.js"
import { type Axis, type Fate, type Receipt, ReceiptCounter } from "./receipt.js"

/** Why pieces are not in a copy that the writer of it never met. */
const ELSEWHERE = "on another branch"
const UNSENT = "not in what the source's model gets"
const LEFT: Partial<Record<Axis, string>> = {
  usage: "a copy used nothing",
  names: "the agent has no labels",
  subAgents: "no transcript of its own call",
}

/** What becomes of each piece of a session, counted once: what an entry has not, is not counted, and what no piece names is dropped. */
export class SessionPieces {
  readonly #counter = new ReceiptCounter()
  /** What is not counted yet, by entry. */
  readonly #left = new Map<string, Map<Axis, number>>()
  readonly #path: ReadonlySet<string>

  /** @param path the entries from the root to the end of the copy */
  constructor(session: Session, path: readonly SessionEntry[]) {
    this.#path = new Set(path.map(({ id }) => id))
    const parents = new Map<string, string | null>()
    for (const entry of session.iterateEntries()) {
      parents.set(entry.id, entry.parentId)
      const pieces = piecesOf(entry).filter(([, count]) => count > 0)
      if (pieces.length > 0) this.#left.set(entry.id, new Map(pieces))
      if (kindOf(entry).conversation) this.#said.add(entry.id)
    }
    this.#parents = parents
    if (session.getSessionName()) this.#hasName = true
  }

  readonly #said = new Set<string>()
  readonly #parents: ReadonlyMap<string, string | null>
  readonly #hasName: boolean = false

  /** @param reason why it is not as it was, or what has changed */
  count(entry: string, axis: Axis, fate: Fate, reason?: string, pieces = 1): void {
    const own = this.#left.get(entry)
    const left = own?.get(axis) ?? 0
    const counted = Math.min(left, pieces)
    own?.set(axis, left - counted)
    this.#counter.count(axis, fate, reason, counted)
  }

  /** @param isNamed whether the copy has the name of the session @param otherBranches how many branches have copies of their own */
  finish({
    isNamed,
    otherBranches = 0,
  }: {
    readonly isNamed: boolean
    readonly otherBranches?: number | undefined
  }): Receipt {
    const counter = this.#counter
    for (const [entry, own] of this.#left)
      for (const [axis, left] of own) {
        counter.count(axis, "dropped", LEFT[axis] ?? (this.#path.has(entry) ? UNSENT : ELSEWHERE), left)
      }
    if (this.#hasName)
      counter.count("names", isNamed ? "preserved" : "dropped", isNamed ? undefined : "not named there")
    const branches = this.#branches()
    const copied = Math.min(1, branches)
    counter.count("branches", "preserved", undefined, copied)
    counter.count("branches", "preserved", "in a copy of its own", Math.min(otherBranches, branches - copied))
    counter.count("branches", "dropped", "not asked for", branches - copied - otherBranches)
    return counter.result()
  }

  /** How many ends the conversation has. */
  #branches(): number {
    const inner = new Set<string>()
    for (const id of this.#said) {
      let above = this.#parents.get(id)
      while (above && !this.#said.has(above)) above = this.#parents.get(above)
      if (above) inner.add(above)
    }
    return this.#said.size - inner.size
  }
}

/** How many pieces of each kind of content an entry has. */
function piecesOf(entry: SessionEntry): [Axis, number][] {
  if (partOf(entry)) return [["subAgents", 1]]
  if (isEntry(entry, "compaction")) return [["compactions", 1]]
  if (isEntry(entry, "label")) return [["names", entry.label ? 1 : 0]]
  if (isEntry(entry, "usage") || isEntry(entry, "model_usage")) return [["usage", 1]]
  if (isEntry(entry, "branch_summary")) return [["text", entry.summary ? 1 : 0]]
  if (isEntry(entry, "custom_message")) return messagePieces(entry as unknown as Json)
  return isEntry(entry, "message") && isObject(entry.message) ? messagePieces(entry.message as unknown as Json) : []
}

function messagePieces({ role, content, usage }: Json): [Axis, number][] {
  const blocks = objectsIn(content)
  const count = (...types: readonly string[]): number =>
    blocks.filter(({ type }) => types.includes(String(type))).length
  const isResult = role === "toolResult"
  const isRun = role === "bashExecution" || role === "pythonExecution" || role === "fileMention"
  return [
    ["text", !isResult && (isRun || hasWords(content)) ? 1 : 0],
    ["thinking", count("thinking", "redactedThinking")],
    ["calls", count("toolCall")],
    ["results", isResult ? 1 : 0],
    ["images", count("image")],
    ["usage", isObject(usage) ? 1 : 0],
  ]
}

/** Whether a content has a text that a model gets. */
function hasWords(content: unknown): boolean {
  const texts = typeof content === "string" ? [content] : objectsIn(content).map(({ text }) => text)
  return texts.some((text) => typeof text === "string" && text.trim() !== "")
}
