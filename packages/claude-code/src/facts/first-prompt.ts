import { contentText } from "@treelog/session-core"
import type { JsonObject } from "../json-values.js"
import { blocksOf } from "../source/record-head.js"

/** What begins a text that the client wrote on behalf of the user: commands, their output, and notices. */
const ENVELOPES = [
  "<bash-input>",
  "<bash-stderr>",
  "<bash-stdout>",
  "<command-args>",
  "<command-message>",
  "<command-name>",
  "<ide_diagnostics>",
  "<ide_opened_file>",
  "<ide_selection>",
  "<local-command-caveat>",
  "<local-command-stderr>",
  "<local-command-stdout>",
  "<system-reminder>",
  "<task-notification>",
  "<user-memory-input>",
  "[Request interrupted",
]

/** What the user typed in a line that is a prompt; empty where the client wrote it. */
export function promptText({ message }: JsonObject): string {
  const { content } = typeof message === "object" && message !== null ? (message as JsonObject) : {}
  if (typeof content === "string") return isEnvelope(content) ? "" : content
  return contentText(blocksOf(content).filter(({ text }) => typeof text !== "string" || !isEnvelope(text)))
}

function isEnvelope(text: string): boolean {
  const start = text.trimStart()
  return ENVELOPES.some((envelope) => start.startsWith(envelope))
}

/** The first text in the start of a prompt that is cut off, as one with an image may be. */
export function promptStart(line: string): string {
  if (!line.includes('"type":"user"') || /"(?:isMeta|isCompactSummary|isSidechain)":true/.test(line)) return ""
  const text = /"(?:content|text)":("(?:[^"\\]|\\.)*")/s.exec(line)?.[1]
  const value: unknown = text === undefined ? "" : parsed(text)
  return typeof value === "string" && !isEnvelope(value) ? value : ""
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return ""
    throw error
  }
}
