import { type FileChange, isSystemMessage } from "@treelog/session-core/adapter"
import { readableResult } from "@treelog/session-core/json"
import { cleanLine, cleanText, textOf } from "./clean-text.js"
import {
  blockJson,
  blocksOf,
  callLabel,
  documentLabel,
  documentOf,
  endingText,
  type Fields,
  imageIn,
  imageLabel,
  isObject,
} from "./content-blocks.js"
import { bodyLines, type CutOptions, cutLines } from "./cut-lines.js"
import { diffText, type FileChanges } from "./file-changes.js"
import type { Paint } from "./style.js"

const MAX_CALL = 300

export interface MessageOptions extends CutOptions {
  /** Where it is there, calls that change a file show the change; elsewhere they are shown as the model gets them. */
  readonly changes?: FileChanges
}

/** The lines of any message, indented. What has an unknown form is shown as JSON. */
export function messageLines(message: Fields, options: MessageOptions): string[] {
  const lines = statsLines(message, options)
  return lines.length > 0 ? lines : emptyLines(message, options)
}

function statsLines(message: Fields, options: MessageOptions): string[] {
  switch (message.role) {
    case "assistant":
      return [...contentLines(message.content, options), ...endingLines(message, options)]
    case "toolResult":
      return resultLines(message, options)
    case "bashExecution":
    case "pythonExecution":
      return runLines(message, options)
    case "fileMention":
      return "files" in message ? fileLines(message, options) : otherLines(message, options)
    case "branchSummary":
    case "compactionSummary":
      return bodyLines(cleanText(message.summary), options)
    case "system":
    case "developer":
      // Instructions for the model, which can be longer than the conversation.
      if (isSystemMessage(message) && isObject(message.sections)) return sectionLines(message, options)
      return "content" in message ? cutContent(message, options) : otherLines(message, options)
    default:
      // What a program said in the user's place has an empty one.
      if (typeof message.prompt === "string" && message.prompt !== "" && !options.full)
        return promptLines(message, message.prompt, options)
      return "content" in message ? contentLines(message.content, options) : otherLines(message, options)
  }
}

/** What was typed, where the model got it in other words. */
function promptLines({ content }: Fields, prompt: string, options: MessageOptions): string[] {
  const { ellipsis } = options.style.glyphs
  return [
    ...contentLines(
      [{ type: "text", text: prompt }, ...blocksOf(content).filter(({ type }) => type !== "text")],
      options,
    ),
    `  ${options.style.paint("dim", `${ellipsis} with what the agent added for the model: --full`)}`,
  ]
}

/** A system message of pi: its content, and each section under its name. */
function sectionLines({ content, sections }: Fields, options: MessageOptions): string[] {
  const named = Object.entries(isObject(sections) ? sections : {})
  return [
    ...cutContent({ content }, options),
    ...named.flatMap(([name, text]) => [
      ...bodyLines(`[${cleanLine(name)}]${text === null ? " removed" : ""}`, options).map((line) =>
        options.style.paint("dim", line),
      ),
      ...(text === null ? [] : cutLines(textOf(text), options)),
    ]),
  ]
}

const PLAIN_FIELDS = new Set(["role", "content", "timestamp"])

/** A message without a text can have other content: a system message of pi has sections and tools. */
function emptyLines(message: Fields, { style }: CutOptions): string[] {
  const others = Object.keys(message).filter((name) => !PLAIN_FIELDS.has(name))
  const rest = others.length > 0 && message.role === "system" ? `, but ${others.map(cleanLine).join(", ")}` : ""
  return [`  ${style.paint("dim", `(no text${rest})`)}`]
}

function contentLines(content: unknown, options: MessageOptions): string[] {
  return blocksOf(content).flatMap((block) => blockLines(block, options))
}

function blockLines(block: Fields, options: MessageOptions): string[] {
  const { style } = options
  switch (block.type) {
    case "text":
      return bodyLines(cleanText(block.text), options)
    case "thinking":
      return thinkingLines(block, options)
    case "toolCall":
      return callLines(block, options)
    default: {
      const image = imageIn(block)
      if (image) return [`  ${style.paint("yellow", imageLabel(image))}`]
      const document = documentOf(block)
      if (!document) return otherLines(block, options)
      const label = `  ${style.paint("yellow", documentLabel(document))}`
      return [label, ...(document.text === undefined ? [] : cutLines(document.text, options))]
    }
  }
}

function callLines(call: Fields, options: MessageOptions): string[] {
  const { style, full, changes } = options
  const change = changes?.ofCall(call)
  const labelled = change ? { ...call, arguments: change.otherArguments } : call
  const shown = full ? callLabel(labelled) : style.cut(callLabel(labelled, MAX_CALL), MAX_CALL)
  const label = bodyLines(`${style.glyphs.call} ${shown}`, options).map((line) => style.paint("blue", line))
  return change ? [...label, ...changeLines(change, options)] : label
}

function changeLines(change: FileChange, options: MessageOptions): string[] {
  if (change.kind === "write") return cutLines(change.content, options, "    ")
  return cutLines(diffText(change.diff), { ...options, paintOf: (line) => DIFF_PAINTS[line[0] ?? ""] }, "    ")
}

const DIFF_PAINTS: Readonly<Record<string, Paint>> = { "+": "green", "-": "red", "@": "cyan" }

function thinkingLines({ thinking, redacted }: Fields, options: MessageOptions): string[] {
  const text = redacted === true && !thinking ? "(redacted)" : textOf(thinking)
  return text.trim() === ""
    ? []
    : cutLines(`[thinking] ${text.trimStart()}`, options).map((line) => options.style.paint("dim", line))
}

function cutContent({ content }: Fields, options: MessageOptions): string[] {
  return blocksOf(content).flatMap((block) =>
    block.type === "text" ? cutLines(readableResult(textOf(block.text)), options) : blockLines(block, options),
  )
}

function resultLines(message: Fields, options: MessageOptions): string[] {
  const change = options.changes?.ofResult(message)
  const said = cutContent(message, options)
  return change ? [...said, ...changeLines(change, options)] : said
}

/** Files that the user named, each under its path. */
function fileLines({ files }: Fields, options: MessageOptions): string[] {
  return blocksOf(files).flatMap(({ path, content, image }) => [
    ...bodyLines(`@${cleanLine(path)}`, options).map((line) => options.style.paint("bold", line)),
    ...cutLines(content, options),
    ...contentLines(isObject(image) ? [image] : [], options),
  ])
}

function runLines(message: Fields, options: MessageOptions): string[] {
  const { output, exitCode, cancelled, truncated: isCut, fullOutputPath, images } = message
  const { style } = options
  const notes = [
    cancelled === true ? "(cancelled)" : "",
    typeof exitCode === "number" && exitCode !== 0 ? `(exit code ${exitCode})` : "",
    isCut === true
      ? `(output cut when it ran${fullOutputPath ? `; all of it: ${cleanLine(fullOutputPath)}` : ""})`
      : "",
  ].filter(Boolean)
  return [
    ...bodyLines(runText(message), options).map((line) => style.paint("bold", line)),
    ...cutLines(output, options),
    ...contentLines(images, options),
    ...notes.map((note) => `  ${style.paint("yellow", note)}`),
  ]
}

/** What was run, behind the sign of its shell. */
function runText({ role, command, code }: Fields): string {
  return role === "pythonExecution" ? `>>> ${cleanText(code)}` : `$ ${cleanText(command)}`
}

function endingLines(message: Fields, { style }: CutOptions): string[] {
  const text = endingText(message)
  return text === undefined ? [] : [`  ${style.paint("red", text)}`]
}

function otherLines(fields: Fields, options: MessageOptions): string[] {
  return cutLines(blockJson(fields), options)
}
