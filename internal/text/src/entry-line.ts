import { contentText, type SessionEntry } from "@treelog/session-core"
import { isSystemMessage, kindOf, systemText } from "@treelog/session-core/adapter"
import { jsonText } from "@treelog/session-core/json"
import { cleanLine } from "./clean-text.js"
import {
  blocksOf,
  callLabel,
  documentLabel,
  documentOf,
  type Fields,
  imageIn,
  imageLabel,
  isObject,
} from "./content-blocks.js"
import type { Paint } from "./style.js"

/** An entry in one line: the speaker, and the beginning of the text. Both are clean. */
export interface EntryLine {
  readonly who: string
  readonly text: string
}

/** A line shows no more; what is longer need not be cleaned whole. */
const MAX_EXCERPT = 400

export function entryLine(entry: SessionEntry): EntryLine {
  return { who: speakerOf(entry), text: textLine(entry) }
}

/** Who speaks, or what kind of entry it is. Clean. */
export function speakerOf(entry: SessionEntry): string {
  const { type, message, customType } = entry as unknown as Fields
  if (type === "message" && isObject(message)) return roleName(message)
  if (type === "custom_message") return shownName(customType, "custom")
  return type === "reset_boundary" ? "context reset" : shownName(entry.type.replaceAll("_", " "), "entry")
}

function textLine(entry: SessionEntry): string {
  const { type, message, content, summary } = entry as unknown as Fields
  if (type === "message" && isObject(message)) return messageLine(message)
  if (type === "custom_message") return contentLine(content)
  if (type === "reset_boundary") return ""
  return beginning(type === "branch_summary" ? summary : kindOf(entry).describe(entry))
}

function messageLine(message: Fields): string {
  const { role, content, prompt, toolName, isError, command, code, files } = message
  // What was typed, without what the agent put around it.
  if (typeof prompt === "string" && prompt !== "") return beginning(prompt)
  if (role === "assistant") return assistantLine(message)
  if (role === "bashExecution") return `$ ${beginning(command)}`
  if (role === "pythonExecution") return `>>> ${beginning(code)}`
  if (role === "fileMention" && files !== undefined)
    return beginning(
      blocksOf(files)
        .map(({ path }) => `@${cleanLine(path)}`)
        .join(" "),
    )
  if (role === "toolResult")
    return `${shownName(toolName, "tool")}${isError === true ? " failed" : ""}: ${contentLine(content)}`
  if (isSystemMessage(message) && isObject(message.sections)) return beginning(systemText(message, true))
  return "content" in message ? contentLine(content) : beginning(jsonText(message))
}

function assistantLine({ content, errorMessage, stopReason }: Fields): string {
  const said = contentLine(content)
  if (said !== "") return said
  const calls = blocksOf(content).filter(({ type }) => type === "toolCall")
  if (calls.length > 0) return calls.map((call) => callLabel(call, MAX_EXCERPT).slice(0, MAX_EXCERPT)).join(" ")
  if (stopReason === "error" || stopReason === "aborted") return `(${stopReason}) ${beginning(errorMessage)}`.trim()
  return ""
}

/** The text of a content; where there is none, its pictures and documents. */
export function contentLine(content: unknown): string {
  const text = beginning(contentText(content))
  if (text !== "") return text
  return blocksOf(content)
    .flatMap((block) => {
      const [image, document] = [imageIn(block), documentOf(block)]
      return image ? imageLabel(image) : document ? documentLabel(document) : []
    })
    .join(" ")
}

function beginning(value: unknown): string {
  return cleanLine(typeof value === "string" ? value.slice(0, MAX_EXCERPT) : value)
}

function shownName(value: unknown, otherwise: string): string {
  return cleanLine(value) || otherwise
}

const ROLE_NAMES: Readonly<Record<string, string>> = {
  toolResult: "result",
  bashExecution: "bash",
  pythonExecution: "python",
  fileMention: "files",
}

/** What a role is called on the screen. */
export function roleName({ role, customType }: Fields): string {
  if (role === "custom" || role === "hookMessage") return shownName(customType, "custom")
  return (
    (typeof role === "string" && Object.hasOwn(ROLE_NAMES, role) ? ROLE_NAMES[role] : undefined) ??
    shownName(role, "no role")
  )
}

const PAINTS: Readonly<Record<string, Paint>> = {
  user: "cyan",
  assistant: "green",
  result: "blue",
  bash: "blue",
  python: "blue",
  compaction: "magenta",
  "branch summary": "magenta",
  "context reset": "magenta",
}

export function paintOf(who: string): Paint {
  return (Object.hasOwn(PAINTS, who) ? PAINTS[who] : undefined) ?? "yellow"
}
