import { joinBytes } from "@treelog/session-core/adapter"
import { isJsonObject, type JsonObject, stringOf } from "../json-values.js"
import { type RecordReader, sourceOfBytes } from "../source/byte-source.js"
import type { SourceRecord } from "../source/source-record.js"

const encoder = /* @__PURE__ */ new TextEncoder()

/** What a sub-agent said, as lines of a transcript. */
export interface ProgressTranscript {
  /** Such as `progress/agent-a275ff0.jsonl`. */
  readonly name: string
  readonly source: ReturnType<typeof sourceOfBytes>
  /** The call that it worked for. */
  readonly call: string | undefined
}

/**
 * The transcripts of sub-agents whose lines stand nested in `progress` lines of their session, in the order of their first lines.
 * @param hasFile whether there is a file of the agent, which has more
 */
export function progressTranscripts(
  records: readonly SourceRecord[],
  reader: RecordReader,
  hasFile: (agent: string) => boolean,
): ProgressTranscript[] {
  const found = new Map<string, { call: string | undefined; lines: JsonObject[] }>()
  for (const record of records) {
    if (record.kind !== "progress:agent_progress") continue
    const value: unknown = JSON.parse(reader.text(record))
    const { data, ...common } = isJsonObject(value) ? value : {}
    const { message, agentId } = isJsonObject(data) ? data : {}
    const call = stringOf(common.parentToolUseID)
    const agent = stringOf(agentId) ?? call
    if (!isJsonObject(message) || agent === undefined || hasFile(agent)) continue
    const { lines } = found.get(agent) ?? {}
    const { cwd, sessionId, version, gitBranch } = common
    const parentUuid = lines?.at(-1)?.uuid ?? null
    const line = { parentUuid, cwd, sessionId, version, gitBranch, ...message, agentId: agent }
    if (lines) lines.push(line)
    else found.set(agent, { call, lines: [line] })
  }
  return [...found].map(([agent, { call, lines }]) => ({
    name: `progress/agent-${agent}.jsonl`,
    source: sourceOfBytes(joinBytes(lines.map((line) => encoder.encode(`${JSON.stringify(line)}\n`)))),
    call,
  }))
}
