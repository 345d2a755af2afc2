import type { SearchHit } from "@treelog/session-core/search"

type Snippet = SearchHit["snippet"]

export const FINDER_VIEWS = ["sessions", "hits", "prompts"] as const

export type FinderView = (typeof FINDER_VIEWS)[number]

/** Whose sessions it lists: those of the project of this folder, or all. */
export type FinderScope = "project" | "all"

/** What is looked for. */
export interface FindRequest {
  readonly view: FinderView
  readonly query: string
  readonly scope: FinderScope
  /** At most so many rows. More are asked for when the selection comes near the end. */
  readonly limit: number
}

/** A row. Texts are as stored. @template Source what the row is of */
export interface Found<Source> {
  readonly source: Source
  /** Two rows with the same key are the same one, in two answers. */
  readonly key: string
  /** Milliseconds since 1970; 0 if it has none. */
  readonly time: number
  readonly title: string
  /** Whether a person gave it that title. */
  readonly isNamed?: boolean
  /** What a query found in it. */
  readonly snippet?: Snippet | undefined
  readonly cost?: string
  readonly agent?: string
  readonly cwd: string
  readonly project?: string
  /** What else is known of it, for one line. */
  readonly facts: readonly string[]
  readonly id?: string
  /** Why it cannot be read. */
  readonly error?: string | undefined
}

/** The result: rows, or a sentence with the reason why there are none. */
export interface FindAnswer<Source> {
  readonly request: FindRequest
  readonly rows: readonly Found<Source>[]
  readonly isMore: boolean
  /** How many there are without the query, where that is known. */
  readonly total?: number
  readonly notice?: string | undefined
}

/** What to do with a row that was picked: go on from it, or at the end of its session. */
export type FoundAction = "go-on" | "at-end"

export interface Picked<Source> {
  readonly found: Found<Source>
  readonly action: FoundAction
}

export interface PreviewPart {
  readonly who: string
  readonly text: string
}

/** What comes before and after a row in its session. */
export interface Preview {
  /** The question before it. */
  readonly before?: PreviewPart | undefined
  /** What was found, more of it than a row shows; nothing where only the ends of a session are shown. */
  readonly hit?: { readonly who: string; readonly snippet: Snippet } | undefined
  /** The answer behind it. */
  readonly after?: PreviewPart | undefined
}

/** A session as lines to read, made as they are needed. */
export interface Readable {
  /** From what was found on; of a row without that, from its last question. */
  readonly lines: Iterator<string>
  /** All lines before these. */
  readonly earlier: () => readonly string[]
  /** What was found, which is marked. */
  readonly found: readonly string[]
}

/** What the finder has done. Errors with a sentence are shown, and the finder continues. */
export interface FinderActions<Source> {
  find(request: FindRequest): Promise<FindAnswer<Source>>
  preview(found: Found<Source>): Promise<Preview>
  read(found: Found<Source>, columns: number): Promise<Readable>
  /** @param name empty takes it off @returns a sentence that describes what was done */
  rename(found: Found<Source>, name: string): Promise<string>
  /** @returns what was done, and how it is undone */
  remove(found: Found<Source>): Promise<{ readonly notice: string; readonly undo: () => Promise<string> }>
  copy(text: string): void
  /** A sentence about the error; undefined for an unexpected one. */
  faultOf(error: unknown): string | undefined
}
