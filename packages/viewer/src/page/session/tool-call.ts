import { type Fields, isObject } from "@treelog-internal/text"
import { readableLine } from "../text/readable-text.js"

export interface ToolCall {
  readonly id: string
  /** Safe to display. */
  readonly name: string
  readonly arguments: Fields
}

/** Reads a block as a tool call; undefined for any other block. */
export function toolCallOf(block: Fields): ToolCall | undefined {
  if (block.type !== "toolCall") return undefined
  return {
    id: typeof block.id === "string" ? block.id : "",
    name: readableLine(block.name, 80) || "tool",
    arguments: isObject(block.arguments) ? block.arguments : {},
  }
}

/** The arguments that identify a call best, in order of preference. */
const SUBJECT_ARGUMENTS = [
  "path",
  "file_path",
  "filePath",
  "file",
  "command",
  "cmd",
  "pattern",
  "query",
  "url",
  "task",
  "prompt",
]

/** The most significant argument of a call, as one line. */
export function callSubject({ arguments: args }: ToolCall): string {
  for (const name of SUBJECT_ARGUMENTS) {
    const value = args[name]
    if (typeof value === "string" && value !== "") return readableLine(value, 200)
  }
  const first = Object.values(args).find((value) => typeof value === "string" && value !== "")
  return first === undefined ? "" : readableLine(first, 200)
}

export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A finite number, or 0. */
export function numberIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0
}
