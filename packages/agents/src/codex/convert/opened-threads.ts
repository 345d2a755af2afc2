import { PART } from "@treelog/session-core/adapter"
import { type Json, objectIn, parsedObject, textIn } from "@treelog-internal/agent-files"
import { textsIn } from "./item-content.js"
import type { OpenCall } from "./path-state.js"
import type { PathWriter } from "./path-writer.js"

/** The longest title of a part. UTF-16 units. */
const LONGEST_TITLE = 200

/** A thread that a call started, or that a review runs in. */
export interface OpenedThread {
  readonly id: string
  readonly role: string
  /** The call that started it. */
  readonly call?: string | undefined
  readonly title?: string | undefined
}

/** Adds the entry of a part: its transcript is the artifact with the name of its thread. */
export function addPart(writer: PathWriter, { id, role, call, title }: OpenedThread): void {
  const asked = title?.trim().slice(0, LONGEST_TITLE)
  const data = { name: `${id}.jsonl`, role, ...(call !== undefined && { call }), ...(asked && { title: asked }) }
  writer.addSide("custom", { customType: PART, data })
}

/** The threads that a call started, as its events name them, or its output. */
export function startedThreads(callId: string, call: OpenCall | undefined, output: unknown): OpenedThread[] {
  const { name, details = {}, thread, title = textIn(details, "prompt") } = call ?? {}
  const spawned = textIn(details, "new_thread_id")
  if (name !== "spawn_agent" && spawned === undefined) return []
  const named = details.receiver_thread_ids
  const inOutput = typeof output === "string" ? parsedObject(output) : undefined
  const one = thread ?? spawned ?? (inOutput && textIn(inOutput, "agent_id"))
  const ids = Array.isArray(named) && named.length > 0 ? named.filter((id) => typeof id === "string") : one ? [one] : []
  return ids.map((id) => ({ id, role: "subagent", call: callId, title }))
}

/** What a sub-agent is asked, in the arguments of the call that starts it. */
export function askedIn(args: Json): string | undefined {
  const texts = textsIn(args.items)
  return textIn(args, "message") ?? (texts.length > 0 ? texts.join("\n") : textIn(args, "task_name"))
}

/** The thread that an activity of a sub-agent says was started, and the call that did; undefined for another activity. */
export function startedIn(payload: Json): { readonly call: string; readonly thread: string } | undefined {
  const item = objectIn(payload, "item") ?? payload
  // An event of its own before it was an item.
  const call = textIn(item, item === payload ? "event_id" : "id")
  const thread = textIn(item, "agent_thread_id")
  return item.kind === "started" && call !== undefined && thread !== undefined ? { call, thread } : undefined
}
