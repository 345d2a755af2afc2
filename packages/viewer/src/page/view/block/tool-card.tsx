import { fileChangeOf } from "@treelog/session-core/adapter"
import { type Fields, isObject } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useMemo } from "preact/hooks"
import type { PageSession } from "../../session/page-session.js"
import { callSubject, type ToolCall } from "../../session/tool-call.js"
import { editOf } from "../../session/transcript-rows.js"
import { useEntry } from "../transcript/use-entry.js"
import { AgentLinks } from "./agent-links.js"
import { EditBadge } from "./edit-badge.js"
import { Fold, type PartProps } from "./fold.js"
import { ToolInput } from "./tool-input.js"
import { ToolResult } from "./tool-result.js"

export interface ToolCardProps extends PartProps {
  readonly session: PageSession
  readonly call: ToolCall
  /** The entry with the result. */
  readonly result: number | undefined
  /** The entry that edits the result for the model. */
  readonly edit: number | undefined
}

/** A tool call with its result; one line while it is collapsed. Changes of files are open, unless they failed. */
export function ToolCard({ session, ordinal, part, call, result, edit }: ToolCardProps): JSX.Element {
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
      icon={TOOL_STATES[state].icon}
      title={
        <>
          <span class="unseen">{TOOL_STATES[state].text}</span>
          {call.name}
        </>
      }
      subject={callSubject(call)}
      badge={edit !== undefined && <EditBadge isLeftOut={editOf(session, edit) === null} />}
      fact={answer ? answer.text.slice(0, 60) : "no result"}
      below={<AgentLinks session={session} ordinal={ordinal} call={call} result={result} />}
      content={() =>
        result === undefined ? (
          <ToolInput ordinal={ordinal} part={part} call={call} details={undefined} />
        ) : (
          <CallAndResult session={session} ordinal={ordinal} part={part} call={call} result={result} edit={edit} />
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
  edit,
}: Omit<ToolCardProps, "result"> & { readonly result: number }): JSX.Element {
  const { message } = useEntry(session, result) as { message?: unknown }
  const answer: Fields = isObject(message) ? message : {}
  const replaced = edit === undefined ? undefined : editOf(session, edit)
  const shown = (message: Fields, name: string): JSX.Element => (
    <ToolResult ordinal={result} part={`${part} ${name}`} message={message} call={call} />
  )
  return (
    <>
      <ToolInput ordinal={ordinal} part={part} call={call} details={answer.details} />
      {replaced === undefined ? (
        shown(answer, "result")
      ) : (
        <>
          {replaced === null ? (
            <p class="faint nothing">The model gets nothing of this result.</p>
          ) : (
            <>
              <p class="faint nothing">What the model gets:</p>
              {shown({ ...answer, content: replaced.content }, "edited")}
            </>
          )}
          <Fold
            ordinal={ordinal}
            part={`${part} original`}
            also={result}
            class="other"
            title="Original result"
            content={() => shown(answer, "result")}
          />
        </>
      )}
    </>
  )
}
