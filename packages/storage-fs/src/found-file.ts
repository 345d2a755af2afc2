import type { CachedSummary, FoundSession, StorageStat, SummaryState } from "@treelog/session-core/adapter"
import type { Row } from "@treelog-internal/fs"
import { idOfFileName } from "./session-name.js"

/** The columns of a row: what a list shows, and what reading continues from. */
const [INFO, RESUME] = [0, 1] as const

/** What the head of a row has, after the name of the file and the length of the columns: what each list compares and sorts by. */
const [SIZE, WRITTEN, IDENTITY, IS_SETTLED, VERSION, MODIFIED, CWD, KIND] = [2, 3, 4, 5, 6, 7, 8, 9] as const

/**
 * A row of a session.
 * @param isSettled its file was left alone for long enough that a later change cannot have the same time
 */
export function rowOf(
  { size, modified, identity }: StorageStat,
  isSettled: boolean,
  { version, modified: newest, cwd, kind, info, resume }: SummaryState,
): { readonly columns: readonly unknown[]; readonly head: readonly unknown[] } {
  return { columns: [info, resume], head: [size, modified, identity, isSettled, version, newest, cwd, kind] }
}

/** A session file. Of the listing of thousands, what is seldom needed is computed on demand. */
export class FoundFile implements FoundSession {
  readonly key: string
  readonly stat: StorageStat
  readonly cached?: CachedSummary
  readonly #name: string

  /** @param row what is known of a file of this name */
  constructor(key: string, name: string, stat: StorageStat, row: Row | undefined) {
    this.key = key
    this.stat = stat
    this.#name = name
    const cached = row && KeptSummary.of(stat, row)
    if (cached) this.cached = cached
  }

  get id(): string | undefined {
    return idOfFileName(this.#name)
  }
}

/** The summary in a row. */
class KeptSummary implements CachedSummary, SummaryState {
  readonly isCurrent: boolean
  readonly #row: Row
  #info: object | undefined

  private constructor(row: Row, isCurrent: boolean) {
    this.isCurrent = isCurrent
    this.#row = row
  }

  /** Undefined where the row is about another file, or about more of it. Of one that is as long as before, any byte may be another. */
  static of(stat: StorageStat, row: Row): KeptSummary | undefined {
    const { head } = row
    if (head[IDENTITY] !== stat.identity) return undefined
    const size = head[SIZE] as number
    const isCurrent = size === stat.size && head[WRITTEN] === stat.modified && head[IS_SETTLED] === true
    return isCurrent || size < stat.size ? new KeptSummary(row, isCurrent) : undefined
  }

  get state(): SummaryState {
    return this
  }

  get version(): number {
    return this.#row.head[VERSION] as number
  }

  get modified(): number {
    return this.#row.head[MODIFIED] as number
  }

  get cwd(): string | undefined {
    return (this.#row.head[CWD] as string | null) ?? undefined
  }

  get kind(): SummaryState["kind"] {
    return (this.#row.head[KIND] as SummaryState["kind"] | null) ?? undefined
  }

  get info(): object {
    this.#info ??= this.#row.value(INFO) as object
    return this.#info
  }

  get resume(): object {
    return this.#row.value(RESUME) as object
  }
}
