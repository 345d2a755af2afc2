import {
  type IndexedState,
  type IndexTables,
  isBasedOn,
  isMatchedWithinWords,
  type PlacedFacts,
} from "@treelog/session-core/search"
import type { SqliteConnection, SqliteValue } from "@treelog-internal/sqlite"
import { modelToken, roleToken, sessionToken, toolToken, WITHIN_WORDS } from "../tokens/mark-tokens.js"
import { TextTokenizer } from "../tokens/text-tokens.js"
import { type CopyKind, markNew, TEXTS, USAGE } from "./copies.js"
import { Names } from "./names.js"
import { removeFrom, removeSession } from "./remove-facts.js"
import { RowIds } from "./row-ids.js"
import { SessionRows } from "./session-rows.js"
import { storableText } from "./storable-text.js"
import { spanOf } from "./usage-spans.js"
import { storeUsageSums } from "./usage-sums.js"
import { WordRows } from "./word-rows.js"

type IndexChange = Parameters<IndexTables["put"]>[0]

/** A change of a session; without a state, its removal. */
export type StoredChange = Partial<IndexChange>

/** Writes changes, and remembers words between them. */
export class ChangeWriter {
  readonly #tokenizer = new TextTokenizer()
  readonly #words = new WordRows()

  /**
   * Writes changes in one transaction, but for those whose session another process has changed meanwhile. The words come last and
   * in the order of their ids: FTS5 collects them in memory as long as their ids ascend.
   */
  write(connection: SqliteConnection, changes: readonly StoredChange[]): void {
    try {
      connection.transaction(() => new ChangeTransaction(connection, this.#words, this.#tokenizer).write(changes))
    } catch (error) {
      this.#words.forget()
      throw error
    }
  }
}

class ChangeTransaction {
  readonly #connection: SqliteConnection
  readonly #sessions: SessionRows
  readonly #names: Names
  readonly #ids: RowIds
  readonly #words: WordRows
  readonly #tokenizer: TextTokenizer
  readonly #rows: { readonly id: number; readonly tokens: string }[] = []

  constructor(connection: SqliteConnection, words: WordRows, tokenizer: TextTokenizer) {
    this.#connection = connection
    this.#sessions = new SessionRows(connection)
    this.#names = new Names(connection)
    this.#ids = new RowIds(connection)
    this.#words = words
    this.#tokenizer = tokenizer
  }

  write(changes: readonly StoredChange[]): void {
    this.#words.begin(this.#connection)
    for (const change of changes) this.#change(change)
    const insert = this.#connection.sql("INSERT INTO words(rowid, tokens) VALUES (?, ?)")
    for (const { id, tokens } of this.#rows.sort((a, b) => a.id - b.id)) insert.run(id, tokens)
    this.#words.store(this.#connection)
    storeUsageSums(this.#connection)
    this.#ids.store()
  }

  #change({ former, state, from = 0, facts = [] }: StoredChange): void {
    const known = this.#sessions.find(((state ?? former) as IndexedState).session)
    if (!isBasedOn(known?.state, { former, state, from })) return
    if (state === undefined) {
      if (known) removeSession(this.#connection, this.#sessions, known.n)
      return
    }
    if (known) removeFrom(this.#connection, this.#sessions, known.n, from)
    const session = this.#sessions.put(state)
    const last = this.#connection.sql("SELECT max(n) AS n FROM entry WHERE session = ?")
    const n = last.get<{ n: number | null }>(session)?.n ?? 0
    // From the last one on: the ids of rows ascend then, so that their pages are filled.
    for (let at = facts.length; at > 0; at--) this.#addEntry(session, n + at, facts[at - 1] as PlacedFacts)
  }

  #addEntry(session: number, n: number, facts: PlacedFacts): void {
    const { offset, length, digest, time, texts, usages } = facts
    const identity = identityOf(facts)
    const marked = (kind: CopyKind) => markNew(this.#connection, this.#sessions, { session, n }, identity, kind)
    const usageCopies = usages.length === 0 ? null : marked(USAGE)
    const insert = this.#connection.sql("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    const row = this.#ids.take(time, Math.max(1, texts.length))
    insert.run(
      row,
      texts.length,
      session,
      n,
      offset,
      length,
      digest,
      identity.id,
      identity.stamp,
      time,
      identity.content,
      marked(TEXTS),
      usageCopies,
      identity.response,
      identity.call,
    )
    if (usageCopies !== null) this.#addUsages(session, n, usageCopies, facts)
    this.#addFiles(session, n, facts)
    this.#addTexts(session, row, texts)
  }

  #addUsages(session: number, n: number, copies: number, { usages, time }: PlacedFacts): void {
    const insert = this.#connection.sql(INSERT_USAGE)
    for (const [at, usage] of usages.entries()) {
      const { role, inputAbove = null, serviceTier } = usage
      const model = this.#names.name(usage.model)
      const [roleName, tier] = [role, serviceTier].map((name) => (name === undefined ? null : this.#names.name(name)))
      insert.run(
        spanOf(time),
        session,
        n,
        at,
        time,
        copies,
        model,
        roleName ?? null,
        inputAbove,
        tier ?? null,
        ...usageValues(usage),
      )
    }
  }

  #addFiles(session: number, n: number, facts: PlacedFacts): void {
    const insert = this.#connection.sql("INSERT INTO file_use VALUES (?, ?, ?, ?, ?)")
    for (const [at, { path, change }] of filesOf(facts).entries())
      insert.run(session, n, at, this.#names.path(path), change)
  }

  #addTexts(session: number, row: number, texts: PlacedFacts["texts"]): void {
    const insertNeighbours = this.#connection.sql("INSERT INTO neighbours VALUES (?, ?, ?)")
    for (const [at, { role, text, model, tool }] of texts.entries()) {
      const id = row + at
      const isWithinWords = isMatchedWithinWords(role)
      const { words, pairs, neighbours } = this.#tokenizer.tokens(text, isWithinWords)
      if (isWithinWords) this.#words.add(words, id)
      const marks = [roleToken(role), sessionToken(session)]
      if (isWithinWords) marks.push(WITHIN_WORDS)
      if (model !== undefined) marks.push(modelToken(this.#names.name(model)))
      if (tool !== undefined) marks.push(toolToken(this.#names.name(tool)))
      if (neighbours !== undefined) insertNeighbours.run(id, isWithinWords ? 1 : 0, neighbours)
      this.#rows.push({ id, tokens: [...marks, words, pairs].join(" ") })
    }
  }
}

const INSERT_USAGE = `INSERT INTO usage VALUES (${Array(21).fill("?").join(", ")})`

function identityOf({ id, time, timestamp, content, response, call }: PlacedFacts) {
  const stamp = stampOf(time, timestamp)
  return { id: storableText(id), time, stamp, content, response: response ?? null, call: call ?? null }
}

/** Null for the usual form of a time. */
function stampOf(time: number, timestamp: string): string | null {
  return time !== 0 && new Date(time).toISOString() === timestamp ? null : storableText(timestamp)
}

/** The columns of what an entry used, from `calls` on. */
function usageValues({ usage }: PlacedFacts["usages"][number]): readonly SqliteValue[] {
  const { calls, input, output, cacheRead, cacheWrite, totalTokens, cost } = usage
  const { cacheWrite1h = null, reasoning = null, webSearches = null, premiumRequests = null } = usage
  const rare = [cacheWrite1h, reasoning, webSearches, premiumRequests]
  return [calls, input, output, cacheRead, cacheWrite, totalTokens, cost, ...rare]
}

/** The files of an entry: what it changed, then what it only read. */
function filesOf({
  changedFiles,
  readFiles,
}: Pick<PlacedFacts, "changedFiles" | "readFiles">): readonly { path: string; change: 0 | 1 }[] {
  const file = (change: 0 | 1) => (path: string) => ({ path, change })
  return [...changedFiles.map(file(1)), ...readFiles.map(file(0))]
}
