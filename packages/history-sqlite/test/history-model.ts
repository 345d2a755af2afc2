import type {
  ImportedPrompt,
  Prompt,
  PromptListOptions,
  PromptOrigin,
  PromptScope,
  PromptSelection,
  SqlitePromptHistory,
} from "@treelog/history-sqlite"

export type TestedHistory = Pick<
  SqlitePromptHistory,
  "add" | "import" | "delete" | "recent" | "search" | "stats" | "flush"
>

const EVERYTHING: PromptScope = { kind: "all" }

/** What a history does, as a plain list of prompts: for texts and queries that folding leaves as they are. */
export class HistoryModel implements TestedHistory {
  #prompts: Prompt[] = []
  #lastId = 0
  #lastAdded = ""
  /** What an import does not bring back. */
  readonly #deletions: { readonly at: number; covers(prompt: ImportedPrompt): boolean }[] = []
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(text: string, origin: PromptOrigin = {}): void {
    if (text === this.#lastAdded) return
    this.#lastAdded = text
    this.#store({ text, createdAt: this.#now(), ...origin })
  }

  async import(prompts: AsyncIterable<ImportedPrompt> | Iterable<ImportedPrompt>) {
    const report = { read: 0, added: 0, known: 0, ignored: 0, deleted: 0 }
    for await (const prompt of prompts) {
      const { text, createdAt, sessionId } = prompt
      const isSame = (other: Prompt) =>
        other.text === text && other.createdAt === createdAt && other.sessionId === sessionId
      const isKnown = this.#prompts.some(isSame)
      const isDeleted = this.#deletions.some(({ at, covers }) => at >= createdAt && covers(prompt))
      report.read++
      report[isKnown ? "known" : isDeleted ? "deleted" : "added"]++
      if (!isKnown && !isDeleted) this.#store(prompt)
    }
    return report
  }

  async delete(selection: PromptSelection): Promise<number> {
    const { id, query, scope = EVERYTHING } = { id: undefined, query: undefined, scope: undefined, ...selection }
    const text = this.#prompts.find((prompt) => prompt.id === id)?.text
    const isSelected = (prompt: Prompt) => (id === undefined ? fits(prompt, query ?? "", scope) : prompt.text === text)
    const removed = this.#prompts.filter(isSelected)
    this.#prompts = this.#prompts.filter((prompt) => !isSelected(prompt))
    const isWhole = id === undefined && query === undefined
    const coversAll = isWhole && scope.kind !== "repository"
    this.#deletions.push({
      at: this.#now(),
      covers: (prompt) =>
        (coversAll && fits(prompt, "", scope)) ||
        removed.some(
          (one) =>
            (isWhole || one.text === prompt.text) &&
            (scope.kind !== "session" || one.sessionId === prompt.sessionId) &&
            (scope.kind === "session" || scope.kind === "all" || one.cwd === prompt.cwd),
        ),
    })
    return removed.length
  }

  recent(options?: PromptListOptions): Promise<Prompt[]> {
    return this.search("", options)
  }

  async search(query: string, { scope = EVERYTHING }: PromptListOptions = {}): Promise<Prompt[]> {
    const sorted = [...this.#prompts].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
    const found = new Map<string, Prompt>()
    for (const prompt of sorted)
      if (fits(prompt, query, scope) && !found.has(prompt.text)) found.set(prompt.text, prompt)
    return [...found.values()]
  }

  async stats() {
    const times = this.#prompts.map(({ createdAt }) => createdAt).sort((a, b) => a - b)
    const distinct = (values: (string | undefined)[]) => new Set(values.filter((value) => value !== undefined)).size
    return {
      stored: times.length,
      folders: distinct(this.#prompts.map(({ cwd }) => cwd)),
      sessions: distinct(this.#prompts.map(({ sessionId }) => sessionId)),
      oldest: times[0],
      newest: times.at(-1),
      bytes: 0,
    }
  }

  async flush(): Promise<void> {}

  #store(prompt: ImportedPrompt): void {
    this.#prompts.push({ cwd: undefined, sessionId: undefined, ...prompt, id: ++this.#lastId })
  }
}

function fits({ text, cwd, sessionId }: ImportedPrompt, query: string, scope: PromptScope): boolean {
  if (!query.split(" ").every((term) => text.includes(term))) return false
  if (scope.kind === "session") return sessionId === scope.sessionId
  if (scope.kind === "cwd") return cwd === scope.cwd
  return scope.kind === "all" || scope.roots.some((root) => cwd === root || cwd?.startsWith(`${root}/`) === true)
}
