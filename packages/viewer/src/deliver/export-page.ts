import { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import { type PageOptions, pageFor } from "./page-for.js"

/** What the page is told beside the session. */
export interface ExportPageOptions extends PageOptions {
  /** The bytes of the session as they are to be shown: header and entries, each on a line of its own. */
  readonly session: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
}

/** Bytes of a block, before they become base64: a number that three divides, so that a block ends where a character does. */
const BLOCK = 384 * 1024

/**
 * One HTML file with the viewer and a session in it, piece by piece. It holds no more of the session in memory than a block. The
 * session stands in it packed and as base64, of whose characters nothing can end the element that it stands in.
 * @throws StorageError when the page of the viewer is not there; whatever reading the session throws
 */
export async function* exportPage({ session, ...options }: ExportPageOptions): AsyncGenerator<string> {
  const { before, after } = await pageFor("embedded", options)
  yield before
  for await (const block of blocksOf(packed(session)))
    yield `<script type="application/x-treelog-session">${block.toString("base64")}</script>\n`
  yield `<script type="application/x-treelog-end"></script>${after}`
}

async function* packed(session: ExportPageOptions["session"]): AsyncGenerator<Buffer> {
  const gzip = createGzip()
  const source = Readable.from(session, { objectMode: true })
  // What ends the one ends the other: a fault of the source reaches whoever reads.
  source.on("error", (error) => gzip.destroy(error))
  source.pipe(gzip)
  try {
    for await (const chunk of gzip) yield chunk
  } finally {
    source.destroy()
  }
}

async function* blocksOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    size += chunk.length
    if (size < BLOCK) continue
    let whole = Buffer.concat(held)
    for (; whole.length >= BLOCK; whole = whole.subarray(BLOCK)) yield whole.subarray(0, BLOCK)
    held = [whole]
    size = whole.length
  }
  if (size > 0) yield Buffer.concat(held)
}
