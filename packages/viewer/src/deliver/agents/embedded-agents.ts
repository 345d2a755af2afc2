import { packedBlocks } from "../packed-blocks.js"
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
