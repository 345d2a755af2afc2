import type { SessionEntry } from "@treelog/session-core"
import { blocksOf, type Fields, isObject } from "@treelog-internal/text"
import type { JSX } from "preact"
import { textIn } from "../../session/fields.js"
import type { PageSession } from "../../session/page-session.js"
import type { TranscriptRow } from "../../session/transcript-rows.js"
import { readableLine } from "../../text/readable-text.js"
import { Blocks } from "../block/blocks.js"
import { JsonView } from "../block/json-view.js"
import { LongText } from "../block/long-text.js"
import { Picture } from "../block/picture.js"
import { ToolResult } from "../block/tool-result.js"
import { AssistantBody } from "./assistant-body.js"
import { RunBody } from "./run-body.js"
import { BranchBody, CompactionBody } from "./summary-bodies.js"
import { SystemBody } from "./system-body.js"
import { useEntry } from "./use-entry.js"

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
      return <Blocks ordinal={ordinal} content={message.content} as="typed" />
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
