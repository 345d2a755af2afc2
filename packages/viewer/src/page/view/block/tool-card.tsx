import type { BlobStore, SessionEntry } from "@treelog/session-core"
import { type DiffLine, fileChangeOf, filePathIn, languageOfPath, restoreEntry } from "@treelog/session-core/adapter"
import { cleanTabbed, type Fields, isObject } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import type { PageSession } from "../../session/page-session.js"
import { callSubject, type ToolCall, textIn } from "../../session/tool-call.js"
import { editOf } from "../../session/transcript-rows.js"
import { plural } from "../format-values.js"
import { useViewer } from "../state/viewer-context.js"
import { AgentLinks } from "./agent-links.js"
import { Fold, type PartProps, useFold } from "./fold.js"
import { JsonView, LongText } from "./long-text.js"
import { ToolResult } from "./tool-result.js"

export interface ToolCardProps extends PartProps {
  readonly session: PageSession
  readonly call: ToolCall
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

function CallAndResult(props: Omit<ToolCardProps, "result"> & { readonly result: number }): JSX.Element {
  const { session, ordinal, part, call, result, edit } = props
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

interface ToolInputProps extends PartProps {
  readonly call: ToolCall
  /** The `details` of the tool result. */
  readonly details: unknown
}

/** The arguments of a tool call: a change as a diff, a file or a command as text, anything else as JSON. */
function ToolInput({ ordinal, part, call, details }: ToolInputProps): JSX.Element | null {
  const args = call.arguments
  const command = textIn(args.command) ?? textIn(args.cmd)
  // The changes of a command are not its arguments.
  const change = fileChangeOf(args, command === undefined ? details : undefined)
  if (change?.kind === "edit") return <DiffView ordinal={ordinal} part={`${part} in`} lines={change.diff} />
  if (change) {
    const language = languageOfPath(change.path)
    return <LongText ordinal={ordinal} part={`${part} in`} text={change.content} language={language} />
  }
  if (command) return <LongText ordinal={ordinal} part={`${part} in`} text={command} language="bash" />
  const names = Object.keys(args)
  // The line above shows the path already.
  if (names.length === 0 || (names.length === 1 && filePathIn(args) !== undefined)) return null
  return <JsonView ordinal={ordinal} part={`${part} in`} value={args} />
}

const LINES = 60

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", added: "+", removed: "−", gap: "" }
const WORDS: Readonly<Record<DiffLine["kind"], string>> = { same: "", added: "added: ", removed: "removed: ", gap: "" }

function DiffView({ ordinal, part, lines }: PartProps & { readonly lines: readonly DiffLine[] }): JSX.Element {
  const [isUnfolded, toggle] = useFold(ordinal, `${part} all`)
  const isOpen = lines.length <= LINES || isUnfolded
  return (
    <div class="diff">
      {(isOpen ? lines : lines.slice(0, LINES)).map(({ kind, text }, index) => (
        <div key={index} class="diff-line" data-kind={kind}>
          <span class="diff-sign" aria-hidden="true">
            {SIGNS[kind]}
          </span>
          <code>
            {WORDS[kind] !== "" && <span class="unseen">{WORDS[kind]}</span>}
            {cleanTabbed(text.replace(/\r$/, "")) || (kind === "gap" ? "⋯" : "\u200b")}
          </code>
        </div>
      ))}
      {!isOpen && (
        <button type="button" class="text-button more" onClick={toggle}>
          Show all {plural(lines.length, "line")}
        </button>
      )}
    </div>
  )
}

/** Says that a context edit changes what the model gets. */
export function EditBadge({ isLeftOut }: { readonly isLeftOut: boolean }): JSX.Element {
  return <span class="badge">{isLeftOut ? "left out for the model" : "edited for the model"}</span>
}

/** An entry with its available images and long texts restored; the others stay references. */
export function useEntry(session: PageSession, ordinal: number): SessionEntry {
  const viewer = useViewer()
  const entry = session.entry(ordinal)
  const [restored, setRestored] = useState({ of: entry, value: entry })
  useEffect(() => {
    let isWanted = true
    // `restoreEntry` calls only `get`.
    restoreEntry(entry, viewer.blobs as BlobStore).then(
      ({ value, diagnostics }) => {
        if (!isWanted) return
        if (value !== entry) setRestored({ of: entry, value })
        const damaged = diagnostics.find(({ kind }) => kind === "damaged-blob")
        if (damaged) viewer.say(damaged.message)
      },
      (error) => {
        if (isWanted) viewer.say(`A blob could not be read: ${error instanceof Error ? error.message : error}`)
      },
    )
    return () => {
      isWanted = false
    }
  }, [entry, viewer.blobsVersion])
  return restored.of === entry ? restored.value : entry
}
