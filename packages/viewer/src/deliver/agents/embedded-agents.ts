import { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import { MOST_BEFORE_PROMPT, promptOf } from "./agent-transcripts.js"

/** The transcript of a sub-agent, to be put in a page. */
export interface TranscriptToEmbed {
  /** The name of its file, without folder and suffix. */
  readonly id: string
  readonly chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
}

/**
 * Generates the elements of a page with the transcripts of sub-agents. Those that do not fit are named in the page without their contents.
 * @param most characters that the transcripts may add to the page
 */
export async function* embeddedAgents(
  transcripts: AsyncIterable<TranscriptToEmbed> | Iterable<TranscriptToEmbed>,
  most: number,
): AsyncGenerator<string> {
  const listed: object[] = []
  let left = most
  for await (const { id, chunks } of transcripts) {
    const head: Uint8Array[] = []
    const packed = await packedWithin(keepingHead(chunks, head), left)
    const prompt = await promptOf(head)
    if (prompt === undefined) continue
    const element = listed.length
    listed.push({ id, prompt, ...(packed ? { element } : { isLeftOut: true }) })
    if (!packed) continue
    const text = packed.map((block) => block.toString("base64")).join("")
    left -= text.length
    yield `<script type="application/x-treelog-agent" data-element="${element}">${text}</script>\n`
  }
  if (listed.length === 0) return
  const list = Buffer.from(JSON.stringify(listed)).toString("base64")
  yield `<script type="application/x-treelog-agents">${list}</script>\n`
}

/** Undefined if there would be more characters as base64. */
async function packedWithin(chunks: TranscriptToEmbed["chunks"], most: number): Promise<Buffer[] | undefined> {
  const blocks: Buffer[] = []
  let size = 0
  for await (const block of packedBlocks(chunks)) {
    size += Math.ceil(block.length / 3) * 4
    if (size > most) return undefined
    blocks.push(block)
  }
  return blocks
}

/** Adds the first bytes to `head` as they are read. */
async function* keepingHead(chunks: TranscriptToEmbed["chunks"], head: Uint8Array[]): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk
    if (size < MOST_BEFORE_PROMPT) head.push(new Uint8Array(bytes))
    size += bytes.length
    yield bytes
  }
}

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
