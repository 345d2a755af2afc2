import type { SessionInfo } from "@treelog/session-core"
import type { Cost, IndexedSession, SearchHit, UsageRow } from "@treelog/session-core/search"
import type { ListedStore } from "../../wire.js"
import { type AskRoutes, askRoutes, jsonOf, type QueryParams } from "./ask-routes.js"
import { encodedId, idInPath } from "./encoded-id.js"
import { linesOfAnswer } from "./read-lines.js"

/** A store whose sessions are listed. */
export interface StoreLink {
  readonly name: string
  /** The agent of sessions whose headers name none; undefined where that is not known. */
  readonly agent?: string | undefined
  readonly ask: AskRoutes
  /** The folder that is shown as `~`. */
  readonly home?: string | undefined
  /** The address of a session, or of one of its entries; undefined where it is shown nowhere. */
  hrefOf(id: string, entryId?: string): string | undefined
}

/** The stores of the page, from a meta element. Undefined for a page of one session, or of none. */
export function storeLinks(): readonly StoreLink[] | undefined {
  const found = document.querySelector<HTMLMetaElement>("meta[name=treelog-stores]")
  if (!found) return undefined
  // Addresses are relative to the page, whose address has the token.
  const stores: readonly ListedStore[] = JSON.parse(found.content)
  return stores.map(({ name, agent, base, open, home }) => ({
    name,
    agent,
    home,
    ask: askRoutes(base),
    hrefOf: (id, entryId) => `${open}${idInPath(id)}/${entryId === undefined ? "" : `#${encodedId(entryId)}`}`,
  }))
}

/** A line of the list. */
export interface SessionLine extends Omit<SessionInfo, "path" | "error" | "usages"> {
  readonly cost?: Cost
  /** What it is grouped by. Default: its folder. */
  readonly project?: string
  readonly error?: { readonly code: string }
}

/** How far an index is that is being brought up to date: sessions that it has, and all. Null when it is complete. */
export type Updating = { readonly done: number; readonly total: number } | null

/** A session of an answer. */
export type AnsweredSession = Omit<IndexedSession, "key">

/** What was found, grouped by session. */
export interface FoundHits {
  readonly sessions: readonly { readonly session: AnsweredSession; readonly hits: readonly SearchHit[] }[]
  readonly isMore: boolean
  readonly updating: Updating
}

/** What a model or a project has of a sum. */
export interface SumPart {
  readonly name: string
  readonly cost: Cost
  readonly tokens: number
}

/** Sums of tokens and cost. */
export interface UsageSums {
  readonly rows: readonly (Omit<UsageRow, "session" | "usages"> & {
    readonly cost: Cost
    readonly parts?: readonly SumPart[]
    readonly session?: AnsweredSession
  })[]
  readonly updating: Updating
}

/** Asks the routes of one store. Methods throw `StoreError`, and TypeError without a connection. */
export class StoreClient {
  readonly link: StoreLink

  constructor(link: StoreLink) {
    this.link = link
  }

  /** Sessions, the newest first, in the pieces in which they arrive. */
  async *list(params: QueryParams, signal: AbortSignal): AsyncGenerator<readonly SessionLine[]> {
    for await (const lines of linesOfAnswer(await this.link.ask("sessions", params, signal)))
      yield lines.map((line) => jsonOf(line) as SessionLine)
  }

  async search(params: QueryParams, signal: AbortSignal): Promise<FoundHits> {
    return this.#json("search", params, signal)
  }

  async usage(params: QueryParams, signal: AbortSignal): Promise<UsageSums> {
    return this.#json("usage", params, signal)
  }

  async #json<Answer>(path: string, params: QueryParams, signal: AbortSignal): Promise<Answer> {
    const response = await this.link.ask(path, params, signal)
    return jsonOf(await response.text()) as Answer
  }
}
