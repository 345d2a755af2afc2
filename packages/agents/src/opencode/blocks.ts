import type { ContentBlock } from "@treelog/session-core"
import { countIn, type EntryPlace, type EntryWriter, isObject, type Json, textIn } from "../kit.js"

// What both generations of opencode write in the same form.

/** What opencode sends where a conversation was compacted, and before the summary. */
export const QUESTION = "What did we do so far?"

/** Whether a message answers that question. Of a summary that failed, the reply says why. */
export function isSummary({ role, summary, error, finish }: Json): boolean {
  return role === "assistant" && summary === true && error === undefined && finish !== undefined
}

export function entryPlace(message: Json): { id: string; time: number } {
  return { id: String(message.id), time: countIn(message, "time_created") }
}

/** None for an empty text, which is not sent. */
export function textBlocks(text: unknown): ContentBlock[] {
  return typeof text === "string" && text !== "" ? [{ type: "text", text }] : []
}

/** What a provider says of a part, under its name or that of its SDK. */
export function opaqueIn(metadata: unknown): Json {
  return Object.values(isObject(metadata) ? metadata : {}).find(isObject) ?? {}
}

/**
 * A thought with what its provider recognizes it by: a signature, redacted data, or an encrypted item of OpenAI.
 * @param summaries its texts
 */
export function thinkingBlock(summaries: readonly string[], opaque: Json): ContentBlock {
  const { itemId: id, reasoningEncryptedContent: encrypted_content, redactedData, signature, thoughtSignature } = opaque
  const thinking = summaries.filter((text) => text !== "").join("\n")
  if (typeof redactedData === "string")
    return { type: "thinking", thinking, thinkingSignature: redactedData, redacted: true }
  const signed = [signature, thoughtSignature].find((one) => typeof one === "string")
  if (signed !== undefined) return { type: "thinking", thinking, thinkingSignature: String(signed) }
  if (typeof encrypted_content !== "string") return { type: "thinking", thinking }
  const summary = summaries.flatMap((text) => (text === "" ? [] : { type: "summary_text", text }))
  const item = { type: "reasoning", ...(typeof id === "string" && { id }), summary, encrypted_content }
  return { type: "thinking", thinking, thinkingSignature: JSON.stringify(item) }
}

/** Texts and folders stand in texts of their own, and are not sent as files. */
export function fileBlocks(part: Json): ContentBlock[] {
  const [mime = "", url = ""] = [textIn(part, "mime"), textIn(part, "url")]
  if (mime === "text/plain" || mime === "application/x-directory") return []
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
  if (data !== undefined && mime.startsWith("image/")) return [{ type: "image", data, mimeType: mime }]
  const title = textIn(part, "filename")
  if (data === undefined) return [{ type: "file", mimeType: mime, url, ...(title !== undefined && { title }) }]
  const source = { type: "base64", media_type: mime, data }
  return [{ type: "document", source, ...(title !== undefined && { title }) }]
}

const STOPS: ReadonlyMap<string, string> = new Map([
  ["stop", "stop"],
  ["tool-calls", "toolUse"],
  ["length", "length"],
])

/** A reply that was not finished was interrupted while it came. */
export function stopOf(finish: unknown, hasCalls: boolean): string {
  if (typeof finish !== "string") return "aborted"
  return STOPS.get(finish) ?? (hasCalls ? "toolUse" : finish)
}

/** The session of a sub-agent is the part behind the result of its call. @param child its id, if the call started one */
export function addPart(
  writer: EntryWriter,
  { id, time }: EntryPlace,
  call: string,
  child: string | undefined,
  input: Json | undefined,
): void {
  if (child === undefined) return
  const title = input && textIn(input, "description")
  const part = { name: `${child}.jsonl`, role: "subagent", call, ...(title !== undefined && { title }) }
  writer.part({ id: `${id}:part`, time }, part)
}
