import { embeddedAgents, packedBlocks, type TranscriptToEmbed } from "./agents/embedded-agents.js"
import { type PageOptions, pageFor } from "./page-for.js"

/** The session and options of an exported page. */
export interface ExportPageOptions extends PageOptions {
  /** The bytes of the session to show: a header and entries as JSON Lines. */
  readonly session: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
  /** Transcripts of its sub-agents, in the same form: they open from the calls that began them. */
  readonly transcripts?: AsyncIterable<TranscriptToEmbed> | Iterable<TranscriptToEmbed> | undefined
  /** How many characters the transcripts may add to the page. The page names those that are left out. Default: 20 million. */
  readonly maxTranscriptSize?: number | undefined
}

const MOST_OF_TRANSCRIPTS = 20_000_000

/**
 * Generates one HTML file with the viewer and a session, in chunks. At most one block of the session, and one transcript of a sub-agent,
 * is in memory. Both are embedded as gzip in base64, which has no characters that could end its element.
 * @throws StorageError when the viewer's page is missing; errors of reading the session
 */
export async function* exportPage({
  session,
  transcripts = [],
  maxTranscriptSize = MOST_OF_TRANSCRIPTS,
  ...options
}: ExportPageOptions): AsyncGenerator<string> {
  const { before, after } = await pageFor("embedded", options)
  yield before
  for await (const block of packedBlocks(session))
    yield `<script type="application/x-treelog-session">${block.toString("base64")}</script>\n`
  yield* embeddedAgents(transcripts, maxTranscriptSize)
  yield `<script type="application/x-treelog-end"></script>${after}`
}
