import { contentText } from "@treelog/session-core"
import { isObject, type Json, parsedObject } from "../json.js"
import type { CopySource } from "./copy-source.js"
import type { SessionPieces } from "./session-pieces.js"
import type { Step } from "./session-steps.js"
import { type MappedCall, mapCall } from "./tool-dialects.js"

const REASONS = { same: undefined, renamed: "renamed", changed: "in another shape", foreign: "under its own name" }

/** The calls that have no result in the session, as `callKey` names them. */
export function unansweredCalls(steps: readonly Step[]): ReadonlySet<string> {
  const keys = steps.map((step) =>
    step.kind === "said" && step.isAdded && step.message.role === "toolResult"
      ? callKey(step.entry, step.message.toolCallId)
      : "",
  )
  return new Set(keys)
}

function callKey(entry: string, id: string): string {
  return JSON.stringify([entry, id])
}

/** Whether a reply says something behind a call, which some agents send before it. */
export function speaksBehindCalls(content: readonly { readonly type: string }[]): boolean {
  const call = content.findIndex(({ type }) => type === "toolCall")
  return call !== -1 && contentText(content.slice(call)).trim() !== ""
}

/**
 * A call in the names of the agent that a copy is for.
 * @param block the call
 * @param count counts it
 */
export function writtenCall(
  { from, cwd, unanswered }: CopySource,
  to: string,
  entry: string,
  block: Json,
  count: SessionPieces["count"],
): MappedCall {
  const args = isObject(block.arguments) ? block.arguments : {}
  const mapped = mapCall(from, to, to === from ? String(block.name) : fullName(block), args, cwd)
  if (unanswered.has(callKey(entry, String(block.id)))) count(entry, "calls", "partial", "without a result")
  else count(entry, "calls", mapped.fate === "changed" ? "partial" : "preserved", REASONS[mapped.fate])
  return mapped
}

/** The name of a tool of a server, of which Codex stores the server apart. */
function fullName({ name, thoughtSignature }: Json): string {
  const { namespace } = (typeof thoughtSignature === "string" && parsedObject(thoughtSignature)) || {}
  return typeof namespace === "string" && namespace.startsWith("mcp__") ? `${namespace}__${name}` : String(name)
}
