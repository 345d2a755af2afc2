import type { AgentTranscript } from "../../wire.js"
import { askRoutes } from "./ask-routes.js"
import { liveSource, servedSharing } from "./live-source.js"
import { bytesOfStream } from "./read-stream.js"
import type { SessionSource, SourceEvent } from "./session-source.js"

/** The source of the page's session, from a meta element. Undefined for the page that waits for a file. */
export function pageSource(): SessionSource | undefined {
  const found = document.querySelector<HTMLMetaElement>("meta[name=treelog-session]")
  if (!found) return undefined
  const name = found.dataset.name ?? "session.jsonl"
  if (found.content !== "live") return embeddedSource(name, read)
  // Addresses are relative to the page, whose address has the token.
  const ask = askRoutes("")
  return { ...liveSource(name, ask), ...(found.dataset.shares !== undefined && { sharing: servedSharing(ask) }) }
}

// The session is in the page itself, after this script: as gzip in base64, in script elements of a type that browsers do not run. It
// is read while the rest of the page is still loading.

const BLOCK = "script[type='application/x-treelog-session']"
const END = "script[type='application/x-treelog-end']"

function embeddedSource(name: string, read: SessionSource["read"]): SessionSource {
  return {
    name,
    agents: { list: listed, source: (id) => embeddedSource(`${id}.jsonl`, (signal) => readAgent(id, signal)) },
    // The page has the rates of all calls of its session.
    rates: async () => JSON.parse(document.querySelector<HTMLMetaElement>("meta[name=treelog-rates]")?.content ?? "[]"),
    read,
  }
}

/** @throws an error when the page is truncated, after everything before was yielded */
async function* read(signal: AbortSignal): AsyncGenerator<SourceEvent> {
  let isCut = false
  const blocks = packedBlocks(signal, () => {
    isCut = true
  })
  const packed = new ReadableStream<BufferSource>({
    async pull(controller) {
      const { value, done } = await blocks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  try {
    yield* bytesOfStream(packed.pipeThrough(new DecompressionStream("gzip")), signal)
  } catch (error) {
    // Truncated gzip data fails at its end.
    if (!isCut) throw error
  }
  if (isCut) throw new Error("The end of this page is missing: it was not saved or transferred completely.")
}

async function* packedBlocks(signal: AbortSignal, onCut: () => void): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  while (!signal.aborted) {
    // Read before the blocks: a block that arrives in between is found next time.
    const isWhole = document.readyState !== "loading"
    const block = document.querySelector(BLOCK)
    if (block && (isWhole || block.nextElementSibling)) {
      const { textContent } = block
      block.remove()
      yield bytesOfBase64(textContent ?? "")
    } else if (document.querySelector(END)) return
    else if (isWhole) return onCut()
    else await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

// The transcripts of sub-agents are in the page after the session, each in an element of its own; their list follows them. The elements
// are kept, so that a transcript can be opened again.

const LIST = "script[type='application/x-treelog-agents']"

interface Listed extends AgentTranscript {
  readonly element?: number
}

async function listed(): Promise<readonly Listed[]> {
  if (document.readyState === "loading")
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }))
  const text = document.querySelector(LIST)?.textContent
  return text ? JSON.parse(new TextDecoder().decode(bytesOfBase64(text))) : []
}

async function* readAgent(id: string, signal: AbortSignal): AsyncGenerator<SourceEvent> {
  const found = (await listed()).find((transcript) => transcript.id === id)
  const element =
    found?.element === undefined
      ? null
      : document.querySelector(`script[type='application/x-treelog-agent'][data-element='${found.element}']`)
  if (!element) throw new Error(found ? "It is not in this file, since it was too large." : "It is not in this file.")
  const packed = new Blob([bytesOfBase64(element.textContent ?? "")])
  yield* bytesOfStream(packed.stream().pipeThrough(new DecompressionStream("gzip")), signal)
}

function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
