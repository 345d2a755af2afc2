import type { SessionInfo } from "@treelog/session-core"
import type { Cost, IndexedSession, SearchHit, UsageTotals } from "@treelog/session-core/search"
import type { ListedStores, LiveLine, StoreFault } from "../../wire.js"
import { type AskRoutes, askRoutes, encodedId, idInPath, jsonOf, type QueryParams, StoreError } from "./ask-routes.js"

/** The sessions of a page, or of a part. */
export interface SessionsLink {
  /** None where the routes are those of a single storage. */
  readonly stores: readonly { readonly name: string; readonly agent: string }[]
  readonly ask: AskRoutes
  /** The folder that is shown as `~`. */
  readonly home?: string | undefined
  /** The address of a session, or of one of its entries; undefined where it is shown nowhere. */
  hrefOf(store: string, id: string, entryId?: string): string | undefined
}

/** The sessions of the page, from a meta element. Undefined for a page of one session, or of none. */
export function sessionsLink(): SessionsLink | undefined {
  const found = document.querySelector<HTMLMetaElement>("meta[name=treelog-stores]")
  if (!found) return undefined
  // Addresses are relative to the page, whose address has the token.
  const { stores, base, home }: ListedStores = JSON.parse(found.content)
  const opens = new Map(stores.map(({ name, open }) => [name, open]))
  return {
    stores,
    home,
    ask: askRoutes(base),
    hrefOf: (store, id, entryId) => {
      const open = opens.get(store)
      return open && `${open}${idInPath(id)}/${entryId === undefined ? "" : `#${encodedId(entryId)}`}`
    },
  }
}

export interface SessionLine extends Omit<SessionInfo, "path" | "error" | "usages"> {
  readonly cost?: Cost
  /** What it is grouped by. Default: its folder. */
  readonly project?: string
  readonly error?: { readonly code: string }
  /** The store that has it, where there are several, and those that have it too. */
  readonly store?: string
  readonly copies?: readonly string[]
  /** What it does, of one that does or did something lately. */
  readonly live?: LiveLine
}

/** How far an index is that is being brought up to date: sessions that it has, and all. Null when it is complete. */
export type Updating = { readonly done: number; readonly total: number } | null

export interface Limits {
  readonly updating: Updating
  readonly faults?: readonly StoreFault[]
}

export type AnsweredSession = Omit<IndexedSession, "key" | "source">

/** What was found, grouped by session. */
export interface FoundHits extends Limits {
  readonly sessions: readonly {
    readonly session: AnsweredSession
    readonly store?: string
    readonly hits: readonly SearchHit[]
  }[]
  readonly isMore: boolean
}

/** What a model or a project has of a sum. */
export interface SumPart {
  readonly name: string
  readonly cost: Cost
  readonly tokens: number
}

export interface SumRow {
  readonly key: string
  readonly totals: UsageTotals
  readonly cost: Cost
  /** What each model or project has of it, of a sum by day. */
  readonly parts?: readonly SumPart[]
  /** Of a sum by session; and its store, where there are several. */
  readonly session?: AnsweredSession
  readonly store?: string
}

/** Sums of tokens and cost: times in their order, everything else the dearest first. */
export interface UsageSums extends Limits {
  readonly rows: readonly SumRow[]
}

/** A line of the list, or a store that could not be listed. */
type ListLine = SessionLine | { readonly fault: StoreFault }

/** Sessions, the newest first, in the pieces in which they arrive. @param onFault called with each store that cannot be listed */
export async function* listSessions(
  ask: AskRoutes,
  params: QueryParams,
  signal: AbortSignal,
  onFault: (fault: StoreFault) => void,
): AsyncGenerator<readonly SessionLine[]> {
  for await (const lines of linesOfAnswer(await ask("sessions", params, signal))) {
    const sessions: SessionLine[] = []
    for (const line of lines) {
      const read = jsonOf(line) as ListLine
      if ("fault" in read) onFault(read.fault)
      else sessions.push(read)
    }
    yield sessions
  }
}

/**
 * The lines of an answer, in the pieces in which they arrive.
 * @throws StoreError when the last line has no end, so that the answer was cut
 */
async function* linesOfAnswer({ body }: Response): AsyncGenerator<readonly string[]> {
  const reader = body?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  if (!reader) return
  let rest = ""
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      const lines = (rest + value).split("\n")
      rest = lines.pop() ?? ""
      if (lines.length > 0) yield lines
    }
  } finally {
    await reader.cancel()
  }
  if (rest !== "") throw new StoreError(200, undefined, "The answer of the server was cut.")
}
