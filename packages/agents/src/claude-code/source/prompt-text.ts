import { objectsIn, textIn } from "@treelog-internal/agent-files"

/**
 * What a line of the user is: typed by them, also as a command, of which one ends the client, or as a line for the shell, or written by the
 * client: the output of one of those, the note of an interruption, or another notice.
 */
export type PromptKind = "typed" | "command" | "exit" | "shell" | "output" | "interruption" | "notice"

export interface PromptText {
  readonly kind: PromptKind
  /** What the user typed; empty where they typed nothing. */
  readonly text: string
}

/**
 * As Claude Code decides what to show of a session: what begins with a tag in lower case was not typed as it stands there. Where the tag is not closed, a
 * person typed it nevertheless.
 */
const TAG = /^\s*<([a-z][\w-]*)[\s>]/
const INTERRUPTION = /^\s*\[(?:Request interrupted(?: by user|: )|This turn ended before it finished)/
const EXIT = /<command-name>\/(?:exit|quit)<\/command-name>/
const OUTPUT = /^(?:local-command|bash)-(?:stdout|stderr)$/

/** What versions around 2.1.50 put into the queue when a task began, for whoever runs them. */
const TASK_BEGAN = /^\{"task_id":"[^"]*",.*"task_type":"[^"]*".*\}$/s

/** The marks around what was pasted into a prompt, which the client does not show. */
const PASTE_MARKS = /<pasted_content id="[0-9a-f]{4}">\n|\n<\/pasted_content id="[0-9a-f]{4}">/g
/** What editors, hooks and Cowork put before a prompt, within its text. */
const BEFORE = /^(?:\s*<(ide_opened_file|ide_selection|system-reminder|uploaded_files)(?:\s[^>]*)?>[\s\S]*?<\/\1>)+\s*/

export function withoutPasteMarks(text: string): string {
  return text.replace(PASTE_MARKS, "")
}

/** A text of the user as it was typed, without what the client put around it. */
export function typedText(text: string): string {
  const own = withoutPasteMarks(text).replace(BEFORE, "")
  return own.trim() === "" ? text : own
}

/** What the content of a user's message is. */
export function promptText(content: unknown): PromptText {
  const texts = (typeof content === "string" ? [content] : promptTexts(content)).map(typedText)
  const typed = texts.filter((text) => textKind(text) === "typed").join("\n")
  if (typed.trim() !== "") return { kind: "typed", text: typed }
  const [other] = texts.filter((text) => text.trim() !== "")
  if (other === undefined) return { kind: "typed", text: "" }
  const kind = textKind(other)
  if (kind === "shell") return { kind, text: `! ${inTag(other, "bash-input")}` }
  if (!isCommand(kind)) return { kind, text: "" }
  return { kind, text: [inTag(other, "command-name"), inTag(other, "command-args")].filter(Boolean).join(" ") }
}

/** Whether the user typed it, to the model or for the shell. */
export function isTyped(kind: PromptKind | undefined): boolean {
  return kind === "typed" || kind === "shell"
}

export function isCommand(kind: PromptKind | undefined): boolean {
  return kind === "command" || kind === "exit"
}

/** What a text of the user is. */
export function textKind(text: string): PromptKind {
  if (INTERRUPTION.test(text)) return "interruption"
  const tag = TAG.exec(text)?.[1]
  if (tag === undefined || !text.includes(`</${tag}>`)) return TASK_BEGAN.test(text) ? "notice" : "typed"
  if (tag === "command-name" || tag === "command-message") return EXIT.test(text) ? "exit" : "command"
  if (tag === "bash-input") return "shell"
  return OUTPUT.test(tag) ? "output" : "notice"
}

function promptTexts(content: unknown): string[] {
  return objectsIn(content).flatMap((block) => (block.type === "text" ? [textIn(block, "text") ?? ""] : []))
}

function inTag(text: string, tag: string): string {
  return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim() ?? ""
}
