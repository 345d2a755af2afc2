import { TreelogError } from "@treelog/session-core"
import { bytesOfStream } from "./read-stream.js"
import type { BlobSource, SearchIndex, SessionSource, SourceEvent } from "./session-source.js"

/** The session that the server of this page follows. All URLs are relative, since the token is in the URL of the page. */
export function liveSource(name: string): SessionSource {
  return { name, blobs: liveBlobs, search, read }
}

const liveBlobs: BlobSource = {
  async get(hash) {
    const response = await fetch(`blobs/${hash}`)
    if (response.status === 404) return undefined
    if (response.status === 422) {
      const { message } = (await response.json()) as { message: string }
      throw new TreelogError("BlobDamagedError", message, { hash, actual: "", quarantine: undefined })
    }
    if (!response.ok) throw new Error(`The server failed to return blob ${hash}: ${response.status}.`)
    return new Uint8Array(await response.arrayBuffer())
  },
}

const search: SearchIndex = async (query, signal) => {
  const response = await fetch(`search?${new URLSearchParams({ query })}`, { signal })
  if (response.status === 204) return undefined
  if (!response.ok) throw new Error(`The server could not search: ${(await response.text()).trim()}`)
  return response.json()
}

/** The state of the stored session, as the server sends it. */
interface StoredNow {
  readonly size: number
  readonly identity: string
}

async function* read(signal: AbortSignal): AsyncGenerator<SourceEvent> {
  let have = 0
  let identity: string | undefined
  for await (const now of storedStates(signal)) {
    if (now === "lost" || now === null) {
      yield { kind: "lost", why: now === null ? "gone" : "no-answer" }
      continue
    }
    if (identity !== undefined && (now.identity !== identity || now.size < have)) {
      yield { kind: "replaced" }
      have = 0
    }
    identity = now.identity
    for await (const event of rangeFrom(have, now, signal)) {
      if (event.kind === "bytes") have += event.bytes.length
      yield event
    }
    yield { kind: "caught-up" }
  }
}

async function* rangeFrom(
  from: number,
  { size, identity }: StoredNow,
  signal: AbortSignal,
): AsyncGenerator<SourceEvent> {
  if (from >= size) return
  const response = await fetch(`session?from=${from}&to=${size}&identity=${encodeURIComponent(identity)}`, { signal })
  // The session was replaced in the meantime: the next event has its state.
  if (response.status === 409) return
  if (!response.ok || !response.body) throw new Error(`The server failed to return the session: ${response.status}.`)
  yield* bytesOfStream(response.body, signal)
}

/** Yields the state at every change, null when nothing is stored; skips states that are outdated when they are read. */
async function* storedStates(signal: AbortSignal): AsyncGenerator<StoredNow | null | "lost"> {
  let newest: StoredNow | null | "lost" | undefined
  let wake = (): void => {}
  const events = new EventSource("events")
  const publish = (state: StoredNow | null | "lost"): void => {
    newest = state
    wake()
  }
  events.onmessage = ({ data }) => publish(JSON.parse(data))
  // The browser reconnects by itself.
  events.onerror = () => publish("lost")
  signal.addEventListener("abort", () => wake())
  try {
    while (!signal.aborted) {
      const state = newest
      newest = undefined
      if (state !== undefined) yield state
      else
        await new Promise<void>((resolve) => {
          wake = resolve
          if (newest !== undefined || signal.aborted) resolve()
        })
    }
  } finally {
    events.close()
  }
}
