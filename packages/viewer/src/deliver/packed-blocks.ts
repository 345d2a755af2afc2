import { Readable } from "node:stream"
import { createGzip } from "node:zlib"

type Chunks = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

/** Bytes of a block before base64: a multiple of three, so that each block is valid base64 without padding. */
const BLOCK = 384 * 1024

/** Compresses chunks with gzip, in blocks whose base64 can be joined. A chunk needs to be valid only until the next one is requested. */
export function packedBlocks(chunks: Chunks): AsyncGenerator<Buffer> {
  return blocksOf(packed(chunks))
}

async function* packed(chunks: Chunks): AsyncGenerator<Buffer> {
  const gzip = createGzip()
  const source = Readable.from(copies(chunks), { objectMode: true })
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

/** A stream may buffer several chunks, which are not valid that long. */
async function* copies(chunks: Chunks): AsyncGenerator<Uint8Array | string> {
  for await (const chunk of chunks) yield typeof chunk === "string" ? chunk : new Uint8Array(chunk)
}
