import { fileChangeOf } from "@treelog/session-core/adapter"
import { type Fields, isObject } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useMemo } from "preact/hooks"
import type { PageSession } from "../../session/page-session.js"
import { callSubject, type ToolCall } from "../../session/tool-call.js"
import { Icon } from "../icons.js"
import { useEntry } from "../transcript/use-entry.js"
import { AgentLinks } from "./agent-links.js"
import { Fold } from "./fold.js"
import { ToolInput } from "./tool-input.js"
import { ToolResult } from "./tool-result.js"

export interface ToolCardProps {
  readonly session: PageSession
  readonly ordinal: number
  readonly part: string
  readonly call: ToolCall
  /** The entry with the result. */
  readonly result: number | undefined
}

/** A tool call with its result; one line while it is collapsed. Changes of files are open, unless they failed. */
export function ToolCard({ session, ordinal, part, call, result }: ToolCardProps): JSX.Element {
  const answer = result === undefined ? undefined : session.summary(result)
  const state = answer === undefined ? "none" : answer.failed ? "failed" : "done"
  const isChange = useMemo(() => fileChangeOf(call.arguments)?.kind === "edit", [call.arguments])
  return (
    <Fold
      ordinal={ordinal}
      part={part}
      also={result}
      isOpenAtFirst={isChange && state !== "failed"}
      class={`tool ${state}`}
      head={
        <>
          <Icon name={TOOL_STATES[state].icon} />
          <span class="unseen">{TOOL_STATES[state].text}</span>
          <span class="fold-title">{call.name}</span>
          <bdi class="fold-subject">{callSubject(call)}</bdi>
          <span class="fold-fact">{answer ? answer.text.slice(0, 60) : "no result"}</span>
        </>
      }
      below={<AgentLinks session={session} ordinal={ordinal} call={call} result={result} />}
      content={() =>
        result === undefined ? (
          <ToolInput ordinal={ordinal} part={part} call={call} details={undefined} />
        ) : (
          <CallAndResult session={session} ordinal={ordinal} part={part} call={call} result={result} />
        )
      }
    />
  )
}

const TOOL_STATES = {
  done: { icon: "check", text: "Done: " },
  failed: { icon: "cross", text: "Failed: " },
  none: { icon: "tool", text: "Called: " },
} as const

function CallAndResult({
  session,
  ordinal,
  part,
  call,
  result,
}: Omit<ToolCardProps, "result"> & { readonly result: number }): JSX.Element {
  const { message } = useEntry(session, result) as { message?: unknown }
  const answer: Fields = isObject(message) ? message : {}
  return (
    <>
      <ToolInput ordinal={ordinal} part={part} call={call} details={answer.details} />
      <ToolResult ordinal={result} part={`${part} result`} message={answer} call={call} />
    </>
  )
}
