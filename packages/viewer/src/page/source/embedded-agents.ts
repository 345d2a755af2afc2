import type { AgentTranscript } from "../../wire.js"
import type { RateSource } from "../session/call-prices.js"
import { bytesOfBase64 } from "./base64.js"
import { bytesOfStream } from "./read-stream.js"
import type { AgentTranscripts, SourceEvent } from "./session-source.js"

// The transcripts of sub-agents are in the page after the session, each in an element of its own; their list follows them. The elements
// are kept, so that a transcript can be opened again.

const LIST = "script[type='application/x-treelog-agents']"

interface Listed extends AgentTranscript {
  readonly element?: number
}

export const embeddedAgents: AgentTranscripts = {
  list: listed,
  source: (id) => ({
    name: `${id}.jsonl`,
    agents: embeddedAgents,
    rates: embeddedRates,
    read: (signal) => read(id, signal),
  }),
}

/** The page has the rates of all calls of its session. */
export const embeddedRates: RateSource = async () =>
  JSON.parse(document.querySelector<HTMLMetaElement>("meta[name=treelog-rates]")?.content ?? "[]")

async function listed(): Promise<readonly Listed[]> {
  if (document.readyState === "loading")
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }))
  const text = document.querySelector(LIST)?.textContent
  return text ? JSON.parse(new TextDecoder().decode(bytesOfBase64(text))) : []
}

async function* read(id: string, signal: AbortSignal): AsyncGenerator<SourceEvent> {
  const found = (await listed()).find((transcript) => transcript.id === id)
  const element =
    found?.element === undefined
      ? null
      : document.querySelector(`script[type='application/x-treelog-agent'][data-element='${found.element}']`)
  if (!element) throw new Error(found ? "It is not in this file, since it was too large." : "It is not in this file.")
  const packed = new Blob([bytesOfBase64(element.textContent ?? "")])
  yield* bytesOfStream(packed.stream().pipeThrough(new DecompressionStream("gzip")), signal)
}
