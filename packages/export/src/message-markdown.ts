import { type FileChange, isSystemMessage, languageOfPath, systemText } from "@treelog/session-core/adapter"
import { jsonText, readableResult } from "@treelog/session-core/json"
import {
  blockJson,
  blocksOf,
  callLabel,
  cleanLine,
  cleanTabbed,
  cleanText,
  diffText,
  documentLabel,
  documentOf,
  endingText,
  type Fields,
  type FileChanges,
  imageIn,
  imageLabel,
  isObject,
  withoutLastLineEnds,
} from "@treelog-internal/text"
import { codeBlock, FEW_LINES, folded, plainText } from "./markdown-text.js"
import { readableMarkdown, type TextForm } from "./readable-markdown.js"

type FoundDocument = NonNullable<ReturnType<typeof documentOf>>

/** The longest summary of something folded, in characters. */
const MAX_SUMMARY = 120

/** An image of a session. */
export interface ExportedImage {
  /** Such as `image/png`. */
  readonly mimeType: string
  /** Base64. */
  readonly data: string
}

/** What a message is rendered with. */
export interface Rendering {
  readonly changes: FileChanges
  /** The address of an image in the document; undefined leaves the image out. */
  readonly imageAddress: (image: ExportedImage) => string | undefined
}

/** The content of any message. What has an unknown form is shown as JSON. */
export function messageMarkdown(message: Fields, rendering: Rendering): string {
  const form: TextForm = message.role === "user" ? "typed" : "markdown"
  const block = (one: Fields): string => blockMarkdown(one, form, rendering)
  switch (message.role) {
    case "toolResult":
      return resultMarkdown(message, rendering)
    case "bashExecution":
      return runMarkdown(message, codeBlock(cleanText(message.command), "sh"), rendering)
    case "pythonExecution":
      return runMarkdown(message, codeBlock(cleanText(message.code), "python"), rendering)
    case "fileMention":
      return "files" in message
        ? joined(blocksOf(message.files).map((file) => fileMarkdown(file, rendering)))
        : json(message)
    case "branchSummary":
    case "compactionSummary":
      return textMarkdown(message.summary)
    case "assistant":
      return joined([...blocksOf(message.content).map(block), ending(message)])
    default:
      if (isSystemMessage(message) && isObject(message.sections)) return textMarkdown(systemText(message, true))
      return "content" in message ? joined(blocksOf(message.content).map(block)) : json(message)
  }
}

function blockMarkdown(one: Fields, form: TextForm, rendering: Rendering): string {
  switch (one.type) {
    case "text":
      return textMarkdown(one.text, form)
    case "thinking": {
      const text = one.redacted === true && !one.thinking ? "" : textMarkdown(one.thinking)
      return text.trim() === "" ? "" : folded("Thinking", text)
    }
    case "toolCall":
      return callMarkdown(one, rendering)
    default: {
      const image = imageIn(one)
      if (image) return imageMarkdown(image, rendering)
      const document = documentOf(one)
      if (document) return documentMarkdown(document)
      return typeof one.type === "string" && /redacted/i.test(one.type)
        ? ""
        : codeBlock(cleanText(blockJson(one, "indented")), "json")
    }
  }
}

/** The name of a document, and what one of text says. */
function documentMarkdown(document: FoundDocument): string {
  const label = `*${plainText(documentLabel(document))}*\n`
  return document.text === undefined ? label : joined([label, outputMarkdown(document.text)])
}

/** The call in a line; below it the change of a file that it makes, or else its arguments as JSON. */
function callMarkdown(call: Fields, { changes }: Rendering): string {
  const change = changes.ofCall(call)
  if (!change) return folded(shortened(callLabel(call)), json(call.arguments ?? {}))
  const { kind, otherArguments } = change
  const label = callLabel({ ...call, arguments: otherArguments })
  const rest = label === shortened(label) ? "" : json(otherArguments)
  return folded(shortened(label), joined([changeMarkdown(change), rest]), kind === "edit")
}

function changeMarkdown(change: FileChange): string {
  if (change.kind === "edit") return codeBlock(diffText(change.diff), "diff")
  return codeBlock(cleanTabbed(change.content), languageOfPath(change.path))
}

function resultMarkdown(message: Fields, rendering: Rendering): string {
  const change = rendering.changes.ofResult(message)
  const said = blocksOf(message.content).map((one) => resultBlock(one, rendering))
  return joined([...said, change ? changeMarkdown(change) : ""])
}

function resultBlock(one: Fields, rendering: Rendering): string {
  return one.type === "text"
    ? outputMarkdown(typeof one.text === "string" ? readableResult(one.text) : one.text)
    : blockMarkdown(one, "markdown", rendering)
}

function outputMarkdown(output: unknown): string {
  const text = withoutLastLineEnds(cleanText(output))
  if (text.trim() === "") return ""
  const lines = text.split("\n")
  return lines.length <= FEW_LINES
    ? codeBlock(text)
    : folded(`${lines.length} lines: ${shortened(firstLine(lines))}`, codeBlock(text))
}

/** A file that the user named. */
function fileMarkdown({ path, content, image }: Fields, rendering: Rendering): string {
  return joined([
    `**@${plainText(cleanLine(path))}**\n`,
    outputMarkdown(content),
    isObject(image) ? imageMarkdown(image, rendering) : "",
  ])
}

/** @param what what was run */
function runMarkdown({ output, exitCode, cancelled, images }: Fields, what: string, rendering: Rendering): string {
  const notes = [
    cancelled === true ? "cancelled" : "",
    typeof exitCode === "number" && exitCode !== 0 ? `exit code ${exitCode}` : "",
  ].filter(Boolean)
  const shown = [outputMarkdown(output), ...blocksOf(images).map((image) => imageMarkdown(image, rendering))]
  return joined([what, ...shown, notes.length > 0 ? `*(${notes.join(", ")})*\n` : ""])
}

/** An image, or a note on it. */
function imageMarkdown(one: Fields, { imageAddress }: Rendering): string {
  const { data, mimeType } = one
  const isHere = typeof data === "string" && /^[A-Za-z0-9+/]+={0,2}$/.test(data) && isImageType(mimeType)
  const address = isHere ? imageAddress({ mimeType, data }) : undefined
  return address === undefined ? `*${plainText(imageLabel(one))}*\n` : `![image](${address})\n`
}

function isImageType(mimeType: unknown): mimeType is string {
  return typeof mimeType === "string" && /^image\/[a-z0-9.+-]+$/i.test(mimeType)
}

function ending(message: Fields): string {
  const text = endingText(message)
  return text === undefined ? "" : `*(${plainText(text.slice(1))}*\n`
}

/** A text outside of code. */
export function textMarkdown(text: unknown, form: TextForm = "markdown"): string {
  const clean = cleanText(text)
  return clean.trim() === "" ? "" : readableMarkdown(clean.replace(/^(\s*\n)+/, ""), form)
}

function json(value: unknown): string {
  return codeBlock(cleanText(jsonText(value, "indented") ?? ""), "json")
}

function firstLine(lines: readonly string[]): string {
  return cleanLine(lines.find((line) => line.trim() !== ""))
}

function shortened(text: string): string {
  return text.length <= MAX_SUMMARY ? text : `${text.slice(0, MAX_SUMMARY - 1)}…`
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n")
}
