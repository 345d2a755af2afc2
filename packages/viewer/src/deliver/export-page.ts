import { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import { type PageOptions, pageFor } from "./page-for.js"

/** The session and options of an exported page. */
export interface ExportPageOptions extends PageOptions {
  /** The bytes of the session to show: a header and entries as JSON Lines. */
  readonly session: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
}

/** Bytes of a block before base64: a multiple of three, so that each block is valid base64 without padding. */
const BLOCK = 384 * 1024

/**
 * Generates one HTML file with the viewer and a session, in chunks. At most one block of the session is in memory. The session is
 * embedded as gzip in base64, which has no characters that could end its element.
 * @throws StorageError when the viewer's page is missing; errors of reading the session
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
  // Passes errors of the source on to the reader of the page.
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
