import { TreelogError } from "@treelog/session-core"
import type { AgentTranscript, CallRates, Place, SecretKind } from "../../wire.js"
import type { RateSource } from "../session/call-prices.js"
import { type AskRoutes, askJson, idInPath, StoreError } from "./ask-routes.js"
import { pause } from "./pause.js"
import { bytesOfStream } from "./read-stream.js"
import type { AgentTranscripts, BlobSource, SessionSource, Sharing, SourceEvent } from "./session-source.js"

/** Time between two questions for what is stored. Milliseconds. */
const INTERVAL = 1_000
/** What took long is asked for less often: after this many times as long. */
const PATIENCE = 10

/**
 * A session that a server has, which is followed.
 * @param ask the routes of the session: `state`, `bytes`, `blobs/HASH` and `agents`
 * @param askOwn `state` and `bytes` of the transcript of a sub-agent, to show that instead
 */
export function liveSource(
  name: string,
  ask: AskRoutes,
  askOwn = ask,
): SessionSource & { readonly agents: AgentTranscripts } {
  return {
    name,
    blobs: liveBlobs(ask),
    agents: {
      async list() {
        const { transcripts = [] } = await askJson<{ readonly transcripts?: AgentTranscript[] }>(ask, "agents")
        return transcripts.filter(({ id, prompt }) => typeof id === "string" && typeof prompt === "string")
      },
      source: (id) =>
        liveSource(`${id}.jsonl`, ask, (path, params, signal) => ask(`agents/${idInPath(id)}/${path}`, params, signal)),
    },
    rates: liveRates(ask),
    read: (signal) => read(askOwn, signal),
  }
}

/** What makes a file of the session for others, on the page that `serveSession` serves. */
export function servedSharing(ask: AskRoutes): Sharing {
  return {
    href: "share/session.html",
    async findSecrets(signal) {
      return (await askJson<{ readonly kinds: SecretKind[] }>(ask, "share", {}, signal)).kinds
    },
  }
}

/** Without an answer, costs stay unknown: the page shows elsewhere that the server is gone. */
function liveRates(ask: AskRoutes): RateSource {
  return async (calls) => {
    try {
      const params = { of: JSON.stringify(calls) }
      return (await askJson<{ readonly rates?: readonly CallRates[] }>(ask, "rates", params)).rates ?? []
    } catch (error) {
      if (error instanceof StoreError || error instanceof TypeError) return []
      throw error
    }
  }
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

/**
 * Reads what is stored, and then asks again and again whether it has changed, while the page is visible: a connection that stays open would be
 * one of the six that a browser has for all tabs.
 * @throws StoreError before anything was read
 */
async function* read(ask: AskRoutes, signal: AbortSignal): AsyncGenerator<SourceEvent> {
  let have = 0
  let identity: string | undefined
  let isCaughtUp = false
  while (!signal.aborted) {
    const started = performance.now()
    try {
      const now = await askJson<Place>(ask, "state", { identity }, signal)
      const isReplaced = identity !== undefined && (!now.continues || now.size < have)
      if (isReplaced) {
        yield { kind: "replaced" }
        have = 0
      }
      if (isReplaced || now.size > have) isCaughtUp = false
      identity = now.identity
      for await (const event of rangeFrom(ask, have, now, signal)) {
        if (event.kind === "bytes") have += event.bytes.length
        yield event
      }
      if (!isCaughtUp) yield { kind: "caught-up" }
      isCaughtUp = true
    } catch (error) {
      if (signal.aborted) return
      const status = error instanceof StoreError ? error.status : 0
      if (identity === undefined && status >= 400 && status < 500) throw error
      isCaughtUp = false
      yield { kind: "lost", why: status === 404 ? "gone" : "no-answer" }
    }
    await pause(Math.max(INTERVAL, (performance.now() - started) * PATIENCE), signal)
  }
}

async function* rangeFrom(
  ask: AskRoutes,
  from: number,
  { size, identity }: Place,
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
