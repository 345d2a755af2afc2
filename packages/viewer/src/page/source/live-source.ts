import { TreelogError } from "@treelog/session-core"
import { type AskRoutes, jsonOf, StoreError } from "./ask-routes.js"
import { idInPath } from "./encoded-id.js"
import { pause } from "./pause.js"
import { linesOfAnswer } from "./read-lines.js"
import { bytesOfStream } from "./read-stream.js"
import type {
  AgentTranscript,
  AgentTranscripts,
  BlobSource,
  SearchIndex,
  SecretKind,
  SessionSource,
  Sharing,
  SourceEvent,
} from "./session-source.js"

/** Time until a request is sent again to a server that did not answer. Milliseconds. */
const ASK_AGAIN = 2_000

/** A session that a server has, which is followed. @param ask the routes of the session: `changes`, `bytes`, `blobs/HASH` and `agents` */
export function liveSource(name: string, ask: AskRoutes): SessionSource & { readonly agents: AgentTranscripts } {
  return { name, blobs: liveBlobs(ask), agents: liveAgents(ask), read: (signal) => read(ask, signal) }
}

/** A session on the page that `serveSession` serves, with its other routes. @param shares whether the server has those for sharing */
export function servedSource(name: string, ask: AskRoutes, shares: boolean): SessionSource {
  const search: SearchIndex = async (query, signal) => {
    const response = await ask("search", { query }, signal)
    return response.status === 204 ? undefined : response.json()
  }
  return { ...liveSource(name, ask), search, ...(shares && { sharing: servedSharing(ask) }) }
}

function servedSharing(ask: AskRoutes): Sharing {
  return {
    href: "share/session.html",
    async findSecrets(signal) {
      const response = await ask("share", {}, signal)
      return ((await response.json()) as { kinds: SecretKind[] }).kinds
    },
  }
}

function liveAgents(ask: AskRoutes): AgentTranscripts {
  const agents: AgentTranscripts = {
    async list() {
      const response = await ask("agents", {}, new AbortController().signal)
      const { transcripts = [] } = jsonOf(await response.text()) as { readonly transcripts?: AgentTranscript[] }
      return transcripts.filter(({ id, prompt }) => typeof id === "string" && typeof prompt === "string")
    },
    source: (id) => {
      const askAgent: AskRoutes = (path, asked, signal) => ask(`agents/${idInPath(id)}/${path}`, asked, signal)
      return { name: `${id}.jsonl`, blobs: liveBlobs(ask), agents, read: (signal) => read(askAgent, signal) }
    },
  }
  return agents
}

function liveBlobs(ask: AskRoutes): BlobSource {
  return {
    async get(hash) {
      try {
        const response = await ask(`blobs/${hash}`, {}, new AbortController().signal)
        return new Uint8Array(await response.arrayBuffer())
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        if (error.status === 404) return undefined
        if (error.status !== 422) throw error
        throw new TreelogError("BlobDamagedError", error.message, { hash, actual: "", quarantine: undefined })
      }
    },
  }
}

/** The state of the stored session, as the server sends it. */
interface StoredNow {
  readonly size: number
  readonly identity: string
}

/** Reads what is stored, follows it, and asks again when the server does not answer. @throws StoreError before anything was read */
async function* read(ask: AskRoutes, signal: AbortSignal): AsyncGenerator<SourceEvent> {
  let have = 0
  let identity: string | undefined
  while (!signal.aborted) {
    let why: "gone" | "no-answer" = "no-answer"
    try {
      for await (const now of storedStates(ask, identity, signal)) {
        if (now === null) {
          yield { kind: "lost", why: "gone" }
          continue
        }
        if (identity !== undefined && (now.identity !== identity || now.size < have)) {
          yield { kind: "replaced" }
          have = 0
        }
        identity = now.identity
        for await (const event of rangeFrom(ask, have, now, signal)) {
          if (event.kind === "bytes") have += event.bytes.length
          yield event
        }
        yield { kind: "caught-up" }
      }
    } catch (error) {
      if (signal.aborted) return
      const isRefused = error instanceof StoreError && error.status >= 400 && error.status < 500
      if (identity === undefined && isRefused) throw error
      if (isRefused && error.status === 404) why = "gone"
    }
    if (signal.aborted) return
    yield { kind: "lost", why }
    await pause(ASK_AGAIN, signal)
  }
}

async function* rangeFrom(
  ask: AskRoutes,
  from: number,
  { size, identity }: StoredNow,
  signal: AbortSignal,
): AsyncGenerator<SourceEvent> {
  if (from >= size) return
  try {
    const { body } = await ask("bytes", { from: `${from}`, to: `${size}`, identity }, signal)
    if (body) yield* bytesOfStream(body, signal)
  } catch (error) {
    // The session was replaced in the meantime: the next event has its state.
    if (!(error instanceof StoreError && error.status === 409)) throw error
  }
}

/**
 * Yields the state at every change, null when nothing is stored; skips states that are outdated when they are read.
 * @param identity that of what the page has
 */
async function* storedStates(
  ask: AskRoutes,
  identity: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<StoredNow | null> {
  for await (const lines of linesOfAnswer(await ask("changes", { identity }, signal))) {
    // Server-sent events: the last line with data is the state now.
    const newest = lines.findLast((line) => line.startsWith("data:"))
    if (newest !== undefined) yield jsonOf(newest.slice("data:".length)) as StoredNow | null
  }
}
