import { parsedJson } from "@treelog/session-core/json"
import { blocksOf, type Fields, isObject } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { AgentTranscript } from "../../../wire.js"
import type { PageSession } from "../../session/page-session.js"
import { type ToolCall, textIn } from "../../session/tool-call.js"
import { readableLine } from "../../text/readable-text.js"
import { Icon } from "../controls/icons.js"
import { LIST_AGAIN } from "../state/agent-list.js"
import { failureText } from "../state/viewer.js"
import { useViewer } from "../state/viewer-context.js"

export interface AgentLinksProps {
  readonly session: PageSession
  readonly ordinal: number
  readonly call: ToolCall
  readonly result: number | undefined
}

/** Opens the transcripts of the sub-agents that a call began; nothing for any other call. */
export function AgentLinks({ session, ordinal, call, result }: AgentLinksProps): JSX.Element | null {
  const viewer = useViewer()
  const transcripts = useTranscripts({ session, ordinal, call, result })
  if (transcripts.length === 0) return null
  return (
    <div class="agent-links">
      {transcripts.map(({ id, isLeftOut }) =>
        isLeftOut ? (
          <p key={id} class="faint">
            The sub-agent’s transcript was too large for this file, and is not in it.
          </p>
        ) : (
          <button type="button" key={id} class="button agent-link" onClick={() => viewer.openAgent(id, ordinal)}>
            <Icon name="agent" />
            <span>Open the sub-agent’s transcript</span>
            {transcripts.length > 1 && <bdi class="faint">{readableLine(id, 60)}</bdi>}
          </button>
        ),
      )}
    </div>
  )
}

function useTranscripts({ session, ordinal, call, result }: AgentLinksProps): readonly AgentTranscript[] {
  const viewer = useViewer()
  const [found, setFound] = useState<readonly AgentTranscript[]>([])
  useEffect(() => {
    if (!viewer.agents || !viewer.host.openAgent || !mayBeginAgent(call)) return undefined
    let isWanted = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      const isRunning = result === undefined && viewer.isFollowed
      try {
        const transcripts = await viewer.listAgents(isRunning)
        if (!isWanted) return
        const { message } = result === undefined ? {} : (session.entry(result) as { message?: unknown })
        const own = agentsOfCall(transcripts, call, isObject(message) ? message : undefined)
        setFound(own)
        if (isRunning && own.length === 0) timer = setTimeout(look, LIST_AGAIN)
      } catch (error) {
        if (!isWanted) return
        viewer.say(failureText(error))
        if (viewer.isFollowed) timer = setTimeout(look, LIST_AGAIN)
      }
    }
    look()
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
    // The call itself is another object at each drawing.
  }, [session, ordinal, call.id, result])
  return found
}

/** Whether a call may have begun a sub-agent; for others, the transcripts are not searched. */
export function mayBeginAgent({ name }: ToolCall): boolean {
  return /agent|task/i.test(name)
}

/**
 * The transcripts of the sub-agents that a call began: those that its result names by their ids, or else those whose prompt is the start
 * of an argument of the call.
 * @param result the message of the result
 */
export function agentsOfCall(
  transcripts: readonly AgentTranscript[],
  { arguments: args }: ToolCall,
  result: Fields | undefined,
): AgentTranscript[] {
  const named = new Set(result ? idsIn(result) : [])
  const byName = transcripts.filter(({ id }) => named.has(id) || named.has(id.replace(/^agent-/, "")))
  if (byName.length > 0) return byName
  const texts = Object.values(args).flatMap((value) => textIn(value)?.trim() ?? [])
  return transcripts.filter(({ prompt }) => {
    const asked = prompt.trim()
    return asked !== "" && texts.some((text) => text.startsWith(asked))
  })
}

/** Claude Code writes the id in the details, Codex in JSON for the model. */
function idsIn({ details, content }: Fields): string[] {
  const ids = isObject(details) ? [details.agentId] : []
  for (const { text } of blocksOf(content)) {
    const value = typeof text === "string" && text.startsWith("{") ? parsedJson(text) : undefined
    if (isObject(value)) ids.push(value.agent_id)
  }
  return ids.flatMap((id) => textIn(id) ?? [])
}
