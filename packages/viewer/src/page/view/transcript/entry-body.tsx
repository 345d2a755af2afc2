import { contentText, type SessionEntry } from "@treelog/session-core"
import { blocksOf, cleanTabbed, type Fields, isObject } from "@treelog-internal/text"
import type { JSX } from "preact"
import type { PageSession } from "../../session/page-session.js"
import { textIn, toolCallOf } from "../../session/tool-call.js"
import type { TranscriptRow } from "../../session/transcript-rows.js"
import { readableLine } from "../../text/readable-text.js"
import { Block, Blocks } from "../block/blocks.js"
import { Fold } from "../block/fold.js"
import { JsonView, LongText } from "../block/long-text.js"
import { Picture } from "../block/picture.js"
import { ToolCard, useEntry } from "../block/tool-card.js"
import { ToolResult } from "../block/tool-result.js"
import { Icon } from "../controls/icons.js"
import { plural } from "../format-values.js"
import { BranchBody, CompactionBody } from "./summary-bodies.js"

export interface EntryBodyProps {
  readonly session: PageSession
  readonly row: TranscriptRow
}

/** The content of an entry, by its kind. */
export function EntryBody({ session, row }: EntryBodyProps): JSX.Element | null {
  const { ordinal } = row
  const entry = useEntry(session, ordinal)
  const fields = entry as unknown as Fields
  const message = entry.type === "message" && isObject(fields.message) ? fields.message : fields
  switch (session.summary(ordinal).speaker) {
    case "user":
      return <PromptBody ordinal={ordinal} message={message} />
    case "assistant":
      return <AssistantBody session={session} row={row} message={message} />
    case "tool":
      return <ToolResult ordinal={ordinal} part="result" message={message} call={undefined} isFolded />
    case "bash":
      return <RunBody ordinal={ordinal} message={message} />
    case "system":
      return <SystemBody ordinal={ordinal} message={message} />
    case "custom":
      return <CustomBody ordinal={ordinal} message={message} />
    case "compaction":
      return <CompactionBody ordinal={ordinal} fields={message} />
    case "branch":
      return <BranchBody ordinal={ordinal} fields={message} />
    case "note":
      return <NoteBody ordinal={ordinal} entry={entry} />
    default:
      return null
  }
}

/** What the user typed; where their agent put more around it, what the model gets is folded below. */
function PromptBody({ ordinal, message }: { readonly ordinal: number; readonly message: Fields }): JSX.Element {
  const { content } = message
  const prompt = textIn(message.prompt)
  if (!prompt) return <Blocks ordinal={ordinal} content={content} as="typed" />
  const blocks = blocksOf(content)
  const others = blocks.filter(({ type }) => type !== "text")
  return (
    <>
      <Blocks ordinal={ordinal} content={[{ type: "text", text: prompt }, ...others]} as="typed" />
      <Fold
        ordinal={ordinal}
        part="sent"
        class="other"
        title="As the model gets it"
        subject={readableLine(contentText(content), 140)}
        content={() => <Blocks ordinal={ordinal} content={blocks.filter(({ type }) => type === "text")} as="typed" />}
      />
    </>
  )
}

function CustomBody({ ordinal, message }: { readonly ordinal: number; readonly message: Fields }): JSX.Element {
  if (message.role === "fileMention" && message.files !== undefined)
    return <MentionedFiles ordinal={ordinal} message={message} />
  if (message.content === undefined) return <JsonView ordinal={ordinal} part="message" value={message} />
  return (
    <>
      {message.display === false && <p class="faint nothing">Hidden from users by the program that wrote it</p>}
      <Blocks ordinal={ordinal} content={message.content} as="markdown" />
    </>
  )
}

/** Files that the user mentioned, each under its path. */
function MentionedFiles({ ordinal, message }: { readonly ordinal: number; readonly message: Fields }): JSX.Element {
  return (
    <>
      {blocksOf(message.files).map(({ path, content, image }, index) => {
        const part = `file ${index}`
        return (
          <div key={part}>
            <p class="faint nothing">@{readableLine(path)}</p>
            {textIn(content) && <LongText ordinal={ordinal} part={part} text={content} />}
            {isObject(image) && <Picture data={image.data} mimeType={image.mimeType} />}
          </div>
        )
      })}
    </>
  )
}

/** Bookkeeping is one line, except for data of extensions and the prompts of sub-agents. */
function NoteBody({ ordinal, entry }: { readonly ordinal: number; readonly entry: SessionEntry }): JSX.Element | null {
  if (entry.type !== "session_init") return null
  const { systemPrompt } = entry as unknown as Fields
  return <SystemBody ordinal={ordinal} message={{ content: systemPrompt }} />
}

interface AssistantBodyProps {
  readonly session: PageSession
  readonly row: TranscriptRow
  readonly message: Fields
}

/** An answer: thinking, text, and tool calls with their results. */
function AssistantBody({ session, row, message }: AssistantBodyProps): JSX.Element {
  const { stopReason, errorMessage } = message
  return (
    <>
      {blocksOf(message.content).map((block, index) => {
        const part = `block ${index}`
        const call = toolCallOf(block)
        if (!call) return <Block key={part} ordinal={row.ordinal} part={part} block={block} as="markdown" />
        const result = row.results.get(call.id)
        const edit = result === undefined ? undefined : row.edits.get(result)
        return <ToolCard key={part} session={session} ordinal={row.ordinal} {...{ part, call, result, edit }} />
      })}
      {(stopReason === "error" || stopReason === "aborted") && (
        <p class="failure">
          <Icon name="warning" />
          <span>
            {stopReason === "error" ? "The answer failed" : "The answer was aborted"}
            {textIn(errorMessage) !== undefined && `: ${cleanTabbed(errorMessage)}`}
          </span>
        </p>
      )}
    </>
  )
}

/** A command that the user ran. */
function RunBody({ ordinal, message }: { readonly ordinal: number; readonly message: Fields }): JSX.Element {
  const isPython = message.role === "pythonExecution"
  const { exitCode, cancelled, truncated, fullOutputPath, excludeFromContext } = message
  const code = typeof exitCode === "number" ? exitCode : undefined
  return (
    <div class="run" data-failed={cancelled === true || (code !== undefined && code !== 0)}>
      <div class="run-head">
        <pre>
          <span class="run-sign" aria-hidden="true">
            {isPython ? ">>>" : "$"}{" "}
          </span>
          <code>{cleanTabbed(textIn(message.command) ?? textIn(message.code) ?? "")}</code>
        </pre>
        {cancelled === true && <span class="badge">cancelled</span>}
        {code !== undefined && <span class={code === 0 ? "badge quiet" : "badge bad"}>exit {code}</span>}
        {excludeFromContext === true && <span class="badge quiet">excluded from the context</span>}
      </div>
      <LongText ordinal={ordinal} part="output" text={message.output} />
      {blocksOf(message.images).length > 0 && <Blocks ordinal={ordinal} content={message.images} as="output" />}
      {truncated === true && (
        <p class="faint nothing">
          The output was cut when it ran{textIn(fullOutputPath) ? `; all of it: ${readableLine(fullOutputPath)}` : "."}
        </p>
      )}
    </div>
  )
}

/** Instructions for the model. pi stores them in sections, with the tools. */
function SystemBody({ ordinal, message }: { readonly ordinal: number; readonly message: Fields }): JSX.Element {
  const sections = isObject(message.sections) ? Object.entries(message.sections) : []
  const text = [contentText(message.content), ...sections.map(([name, section]) => `# ${name}\n${section}`)]
    .filter((part) => part !== "")
    .join("\n\n")
  const tools = Array.isArray(message.toolsAdded) ? message.toolsAdded.filter(isObject) : []
  return (
    <>
      <Fold
        ordinal={ordinal}
        part="instructions"
        class="other"
        title="Instructions"
        subject={readableLine(text, 140)}
        fact={plural(text.length, "character")}
        content={() => <LongText ordinal={ordinal} part="instructions" text={text} />}
      />
      {tools.length > 0 && (
        <Fold
          ordinal={ordinal}
          part="tools"
          class="other"
          title={plural(tools.length, "tool")}
          subject={readableLine(tools.map(({ name }) => name).join(", "), 200)}
          content={() => <JsonView ordinal={ordinal} part="tools" value={tools} />}
        />
      )}
    </>
  )
}
