import { readableLine } from "../text/readable-text.js"
import { type Fields, isFields } from "./fields.js"

/** A tool call of an assistant's message. */
export interface ToolCall {
  readonly id: string
  /** Fit to be shown. */
  readonly name: string
  readonly arguments: Fields
}

/** Reads a block as a tool call; undefined for any other block. */
export function toolCallOf(block: Fields): ToolCall | undefined {
  if (block.type !== "toolCall") return undefined
  return {
    id: typeof block.id === "string" ? block.id : "",
    name: readableLine(block.name, 80) || "tool",
    arguments: isFields(block.arguments) ? block.arguments : {},
  }
}

/** The arguments that tell calls of the same tool apart, best first. */
const TELLING = ["path", "file_path", "filePath", "file", "command", "cmd", "pattern", "query", "url", "task", "prompt"]

/** What a call is about, in one line: its most telling argument. */
export function callSubject({ arguments: given }: ToolCall): string {
  for (const name of TELLING) {
    const value = given[name]
    if (typeof value === "string" && value !== "") return readableLine(value, 200)
  }
  const first = Object.values(given).find((value) => typeof value === "string" && value !== "")
  return first === undefined ? "" : readableLine(first, 200)
}
