import { askRoutes } from "./ask-routes.js"
import { bytesOfBase64 } from "./base64.js"
import { embeddedAgents, embeddedRates } from "./embedded-agents.js"
import { servedSource } from "./live-source.js"
import { bytesOfStream } from "./read-stream.js"
import type { SessionSource, SourceEvent } from "./session-source.js"

/** The source of the page's session, from a meta element. Undefined for the page that waits for a file. */
export function pageSource(): SessionSource | undefined {
  const found = document.querySelector<HTMLMetaElement>("meta[name=treelog-session]")
  if (!found) return undefined
  const name = found.dataset.name ?? "session.jsonl"
  // Addresses are relative to the page, whose address has the token.
  return found.content === "live"
    ? servedSource(name, askRoutes(""), found.dataset.shares !== undefined)
    : embeddedSource(name)
}

// The session is in the page itself, after this script: as gzip in base64, in script elements of a type that browsers do not run. It
// is read while the rest of the page is still loading.

const BLOCK = "script[type='application/x-treelog-session']"
const END = "script[type='application/x-treelog-end']"

function embeddedSource(name: string): SessionSource {
  return { name, agents: embeddedAgents, rates: embeddedRates, read }
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
