import type { SessionInfo } from "@treelog/session-core"
import type { IndexedSession, SearchHit, UsageRow } from "@treelog/session-core/session-index"

// The client of the routes that the README lists under "Sessions over HTTP".

/** A store on the page of all sessions. Addresses are relative to the page, whose address has the token. */
export interface StoreLink {
  readonly name: string
  /** The address of its routes. */
  readonly base: string
  /** The address of its sessions in the viewer, without the id. */
  readonly open: string
}

/** The stores of the page, from a meta element. Undefined for a page of one session, or of none. */
export function storeLinks(): readonly StoreLink[] | undefined {
  const found = document.querySelector<HTMLMetaElement>("meta[name=treelog-stores]")
  return found ? JSON.parse(found.content) : undefined
}

/** A line of the list. */
export type SessionLine = Omit<SessionInfo, "path" | "error"> & { readonly error?: { readonly code: string } }

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

/** Sums of tokens and cost. */
export interface UsageSums {
  readonly rows: readonly (Omit<UsageRow, "session"> & { readonly session?: AnsweredSession })[]
  readonly updating: Updating
}

/** A refusal of the server. */
export class StoreError extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, code: string | undefined, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Parameters of a request; undefined ones are left out. */
export type Asked = Readonly<Record<string, string | undefined>>

/** Asks the routes of one store. Methods throw `StoreError`, and TypeError without a connection. */
export class StoreClient {
  readonly link: StoreLink

  constructor(link: StoreLink) {
    this.link = link
  }

  /** Sessions, the newest first, in the pieces in which they arrive. */
  async *list(asked: Asked, signal: AbortSignal): AsyncGenerator<readonly SessionLine[]> {
    const { body } = await this.#ask("sessions", asked, signal)
    const reader = body?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
    if (!reader) return
    let rest = ""
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const lines = (rest + value).split("\n")
      rest = lines.pop() ?? ""
      if (lines.length > 0) yield lines.map((line) => JSON.parse(line))
    }
  }

  async search(asked: Asked, signal: AbortSignal): Promise<FoundHits> {
    return (await this.#ask("search", asked, signal)).json()
  }

  async usage(asked: Asked, signal: AbortSignal): Promise<UsageSums> {
    return (await this.#ask("usage", asked, signal)).json()
  }

  async #ask(path: string, asked: Asked, signal: AbortSignal): Promise<Response> {
    const given = Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined)
    const response = await fetch(`${this.link.base}${path}?${new URLSearchParams(given)}`, { signal })
    if (response.ok) return response
    const { code, message = `The server answered with ${response.status}.` } = await refusalIn(response)
    throw new StoreError(response.status, code, message)
  }
}

/** The error that the routes send as JSON; whatever stands between may send something else. */
async function refusalIn(response: Response): Promise<{ readonly code?: string; readonly message?: string }> {
  const text = await response.text()
  return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : { message: text }
}
