import { foldText } from "../entry/fold-text.js"
import { systemClock } from "../ports/clock.js"
import type {
  ImportedPrompt,
  Prompt,
  PromptHistory,
  PromptHistoryOptions,
  PromptImportOptions,
  PromptImportReport,
  PromptListOptions,
  PromptOrigin,
  PromptScope,
  PromptSelection,
  PromptStats,
} from "../ports/prompt-history.js"
import { PromptQueue } from "./prompt-queue.js"
import {
  acceptPrompt,
  dropSecretPrompts,
  isInPromptScope,
  matchesTerms,
  promptTerms,
  promptTimestamp,
  requirePromptTerms,
  tombstoneKeys,
  tombstonesFor,
} from "./prompt-rules.js"

interface Row extends Prompt {
  readonly folded: string
}

const EVERYWHERE: PromptScope = { kind: "all" }

/**
 * Keeps prompts in memory, for as long as the object lives: for tests, and as the reference implementation. Every search scans all
 * prompts. It does not detect secrets by itself: without `ignore.secrets` it keeps them.
 */
export class MemoryPromptHistory implements PromptHistory {
  readonly #clock
  readonly #rules
  readonly #queue: PromptQueue
  #rows: Row[] = []
  #lastId = 0
  readonly #deleted = new Map<string, number>()

  constructor({ clock = systemClock, ignore = {}, onError }: PromptHistoryOptions = {}) {
    this.#clock = clock
    this.#rules = ignore
    this.#queue = new PromptQueue({ clock, rules: ignore, onError, store: (prompts) => prompts.forEach(this.#store) })
  }

  get lastError(): unknown {
    return this.#queue.lastError
  }

  add(text: string, origin?: PromptOrigin): void {
    this.#queue.add(text, origin)
  }

  async recent(options?: PromptListOptions): Promise<Prompt[]> {
    return this.search("", options)
  }

  async search(query: string, { scope = EVERYWHERE, limit = 100 }: PromptListOptions = {}): Promise<Prompt[]> {
    await this.#queue.flushToRead()
    const found = new Map<string, Prompt>()
    const terms = promptTerms(query)
    const rows = this.#inOrder()
    for (let at = rows.length - 1; at >= 0 && found.size < limit; at--) {
      const row = rows[at] as Row
      if (found.has(row.text) || !isInPromptScope(scope, row) || !matchesTerms(row.folded, terms)) continue
      found.set(row.text, promptOf(row))
    }
    return [...found.values()]
  }

  async get(id: number): Promise<Prompt | undefined> {
    await this.#queue.flushToRead()
    const row = this.#rows.find((stored) => stored.id === id)
    return row && promptOf(row)
  }

  async delete(selection: PromptSelection): Promise<number> {
    await this.flush()
    const isSelected = this.#selector(selection)
    const removed = this.#rows.filter(isSelected)
    this.#rows = this.#rows.filter((row) => !isSelected(row))
    const now = this.#clock.now()
    for (const key of tombstonesFor(selection, removed)) this.#deleted.set(key, now)
    return removed.length
  }

  async import(
    prompts: AsyncIterable<ImportedPrompt> | Iterable<ImportedPrompt>,
    { onProgress, signal }: PromptImportOptions = {},
  ): Promise<PromptImportReport> {
    await this.flush()
    const report = { read: 0, added: 0, known: 0, ignored: 0, deleted: 0 }
    const known = new Set(this.#rows.map(identity))
    for await (const prompt of prompts) {
      signal?.throwIfAborted()
      report.read++
      report[await this.#importOne(prompt, known)]++
    }
    onProgress?.({ ...report, left: 0 })
    return report
  }

  async stats(): Promise<PromptStats> {
    await this.#queue.flushToRead()
    const rows = this.#inOrder()
    return {
      stored: rows.length,
      folders: countDistinct(rows.map(({ cwd }) => cwd)),
      sessions: countDistinct(rows.map(({ sessionId }) => sessionId)),
      oldest: rows[0]?.createdAt,
      newest: rows.at(-1)?.createdAt,
      bytes: undefined,
    }
  }

  flush(): Promise<void> {
    return this.#queue.flush()
  }

  close(): Promise<void> {
    return this.#queue.close()
  }

  async #importOne(prompt: ImportedPrompt, known: Set<string>): Promise<"added" | "known" | "ignored" | "deleted"> {
    const text = acceptPrompt(prompt.text, this.#rules)
    if (text === undefined) return "ignored"
    const kept = { ...prompt, text }
    if (known.has(identity(kept))) return "known"
    if (this.#isDeleted(kept)) return "deleted"
    if ((await dropSecretPrompts([kept], this.#rules)).length === 0) return "ignored"
    known.add(identity(kept))
    this.#store(kept)
    return "added"
  }

  #isDeleted(prompt: ImportedPrompt): boolean {
    const times = tombstoneKeys(prompt).map((key) => this.#deleted.get(key))
    return times.some((at) => at !== undefined && at >= prompt.createdAt)
  }

  readonly #store = ({ text, createdAt, cwd, sessionId }: ImportedPrompt): void => {
    const time = promptTimestamp(createdAt) * 1000
    this.#rows.push({ id: ++this.#lastId, text, createdAt: time, cwd, sessionId, folded: foldText(text) })
  }

  /** Oldest first. */
  #inOrder(): readonly Row[] {
    return this.#rows.sort((a, b) => a.createdAt - b.createdAt || a.id - b.id)
  }

  #selector(selection: PromptSelection): (row: Row) => boolean {
    if ("id" in selection) {
      const text = this.#rows.find(({ id }) => id === selection.id)?.text
      return (row) => row.text === text
    }
    const { scope = EVERYWHERE } = selection
    const terms = "query" in selection ? requirePromptTerms(selection.query) : []
    return (row) => isInPromptScope(scope, row) && matchesTerms(row.folded, terms)
  }
}

function promptOf({ folded, ...prompt }: Row): Prompt {
  return prompt
}

function identity({ text, createdAt, sessionId }: ImportedPrompt): string {
  return JSON.stringify([text, promptTimestamp(createdAt), sessionId ?? null])
}

function countDistinct(values: readonly (string | undefined)[]): number {
  return new Set(values.filter((value) => value !== undefined)).size
}
