import { joinBytes } from "@treelog/session-core/adapter"
import { type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import type { SourceRecord } from "../source/source-record.js"

const encoder = /* @__PURE__ */ new TextEncoder()

/**
 * The transcripts of sub-agents whose lines stand nested in `progress` lines of their session, in the order of their first lines, with the calls
 * that they worked for. A name is such as `progress/agent-a275ff0.jsonl`.
 * @param hasFile whether there is a file of the agent, which has more
 */
export function progressTranscripts(
  records: readonly SourceRecord[],
  hasFile: (agent: string) => boolean,
): { name: string; bytes: Uint8Array; call: string | undefined }[] {
  const found = new Map<string, { call: string | undefined; lines: Json[] }>()
  for (const record of records) {
    if (record.kind !== "progress:agent_progress") continue
    const { value } = record
    const data = objectIn(value, "data") ?? {}
    const message = objectIn(data, "message")
    const call = textIn(value, "parentToolUseID")
    const agent = textIn(data, "agentId") ?? call
    if (!message || agent === undefined || hasFile(agent)) continue
    const one = found.get(agent) ?? { call, lines: [] }
    found.set(agent, one)
    const { cwd, sessionId, version, gitBranch } = value
    const parentUuid = one.lines.at(-1)?.uuid ?? null
    one.lines.push({ parentUuid, cwd, sessionId, version, gitBranch, ...message, agentId: agent })
  }
  return [...found].map(([agent, { call, lines }]) => ({
    name: `progress/agent-${agent}.jsonl`,
    bytes: joinBytes(lines.map((line) => encoder.encode(`${JSON.stringify(line)}\n`))),
    call,
  }))
}
