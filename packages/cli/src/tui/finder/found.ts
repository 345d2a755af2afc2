import { isTreelogError, type SessionInfo } from "@treelog/session-core"
import { hasOnlySigns, type IndexedSession, type SearchHit } from "@treelog/session-core/search"
import type { LibrarySearch, ProjectFolders } from "@treelog/stores"
import type { CommandContext } from "../../io/command-context.js"
import { sayer } from "../../search/hit-printer.js"
import type { FoundPrompt } from "../../search/prompt-sources.js"
import { nothingToSearch, type SearchFilters, searchQuery } from "../../search/search-query.js"
import type { CommandLibrary, CommandSource } from "../../sessions/open-library.js"
import { cwdIn } from "../../store/scope.js"

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

/** UTF-16 units: what the preview shows. */
const SNIPPET = 1200

/** What is asked for, and what is known of sessions. */
interface HitSearch {
  readonly request: FindRequest
  readonly filters: SearchFilters
  readonly titleOf: (session: IndexedSession, source: CommandSource) => Promise<string>
  readonly projectOf: ProjectFolders["titleOf"]
}

/** Finds what was said in sessions, the newest first: names before all others. */
export async function findHits(
  context: CommandContext,
  library: CommandLibrary,
  { request, filters, titleOf, projectOf }: HitSearch,
): Promise<FindAnswer<Source>> {
  const query = await queryOf(context, library, request, filters)
  if ("notice" in query) return { request, rows: [], isMore: false, notice: query.notice }
  const { sessions, isMore } = await library.search(query)
  const rows: Found<Source>[] = []
  for (const { source, session, hits } of sessions) {
    const title = await titleOf(session, source)
    for (const hit of hits)
      rows.push({
        source: { kind: "hit", store: source, session, hit },
        key: JSON.stringify([session.key, hit.entryId, hit.role]),
        time: hit.time,
        title,
        isNamed: session.name !== "",
        snippet: hit.snippet,
        agent: source.program ?? "",
        cwd: session.cwd,
        project: projectOf(session.cwd, () => session.repository),
        facts: [sayer(hit), hit.model ?? "", session.id],
        id: session.id,
      })
  }
  const isName = ({ source }: Found<Source>): boolean => source.kind === "hit" && source.hit.role === "name"
  rows.sort((a, b) => Number(isName(b)) - Number(isName(a)) || b.time - a.time)
  return { request, rows, isMore }
}

/** A filter that is still being typed is not an error, and neither are signs that a word may follow. */
async function queryOf(
  context: CommandContext,
  library: CommandLibrary,
  { query, scope, limit }: FindRequest,
  filters: SearchFilters,
): Promise<LibrarySearch | { readonly notice: string }> {
  try {
    const folder = scope === "all" ? undefined : cwdIn(context)
    const asked = await searchQuery(context, library, folder, query, filters)
    return hasOnlySigns(asked.terms) ? { notice: nothingToSearch(query) } : { ...asked, limit, snippet: SNIPPET }
  } catch (error) {
    if (!isTreelogError(error, "InvalidArgumentError")) throw error
    return { notice: error.message }
  }
}

/** What a row of the finder is of: a session, with what a query found in it; a text that was found; or a prompt of a history. */
export type Source =
  | { readonly kind: "session"; readonly store: CommandSource; readonly info: SessionInfo; readonly hit?: SearchHit }
  | { readonly kind: "hit"; readonly store: CommandSource; readonly session: IndexedSession; readonly hit: SearchHit }
  | { readonly kind: "prompt"; readonly prompt: FoundPrompt }

/** The session of a row, and the part of it that has the entry; nothing for a prompt. */
export function sessionOf(source: Source):
  | {
      readonly store: CommandSource
      readonly path: string
      readonly id: string
      readonly openedBy: string
      readonly entryId?: string
    }
  | undefined {
  if (source.kind === "prompt") return undefined
  const { store, hit } = source
  const path = source.kind === "session" ? source.info.path : source.session.key
  const { id } = source.kind === "session" ? source.info : source.session
  return { store, path, id, openedBy: hit?.part?.key ?? path, ...(hit && { entryId: hit.entryId }) }
}
