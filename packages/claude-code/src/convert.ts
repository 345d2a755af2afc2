import type { SessionEntry, SessionHeader } from "@treelog/session-core"
import type { ConversionReport } from "@treelog-internal/agent-files"
import { ClaudeCodeConverter, type ClaudeCodeOptions } from "./converter.js"
import { sourceOfBytes } from "./source/byte-source.js"

/** A converted session. */
export interface ConvertedSession {
  readonly header: SessionHeader
  readonly entries: readonly SessionEntry[]
  /** Transcripts of sub-agents within the file. */
  readonly artifacts: readonly {
    readonly name: string
    readonly header: SessionHeader
    readonly entries: readonly SessionEntry[]
  }[]
  readonly report: ConversionReport
}

/**
 * Converts the content of a file of Claude Code.
 * @throws InvalidSessionError when nothing in it is a line of Claude Code
 */
export function convertClaudeCode(content: Uint8Array | string, options: ClaudeCodeOptions): ConvertedSession {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  const converter = new ClaudeCodeConverter(options)
  const { lines } = converter.update(sourceOfBytes(bytes))
  const artifacts = [...converter.artifacts()].map(({ name, lines }) => ({ name, ...split(lines) }))
  return { ...split(lines), artifacts, report: converter.report }
}

function split(lines: Iterable<object>): { header: SessionHeader; entries: SessionEntry[] } {
  const [header, ...entries] = lines
  return { header: header as SessionHeader, entries: entries as SessionEntry[] }
}
