import type { ContentBlock } from "@treelog/session-core"
import { isObject, type Json, objectsIn, parsedObject, textIn } from "@treelog-internal/agent-files"

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/

/** The blocks of a message or an output. Parts of other kinds are kept as blocks of their own type. */
export function contentBlocks(content: unknown): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return objectsIn(content).map((part) => {
    if (typeof part.text === "string") return { type: "text", text: part.text }
    const url = part.type === "input_image" && typeof part.image_url === "string" ? part.image_url : ""
    const [head, mimeType] = DATA_URL.exec(url) ?? []
    if (head === undefined || mimeType === undefined) return part as ContentBlock
    return { type: "image", data: url.slice(head.length), mimeType }
  })
}

/** The item as which something would stand that was said by voice; undefined of other records of a voice session. */
export function spokenItem({ type, role, text }: Json): Json | undefined {
  if (type !== "transcript_segment" || typeof text !== "string" || text === "") return undefined
  return role === "user" || role === "assistant"
    ? { type: "message", role, content: [{ type: "text", text }] }
    : undefined
}

/** The output of a call as the model got it, and what the item says of it besides. */
export interface CallOutput {
  readonly content: ContentBlock[]
  /** Metadata beside the output. */
  readonly details?: Json
  /** Undefined where nothing is known. */
  readonly isError?: boolean | undefined
}

/**
 * @param output of an item `function_call_output` or another one
 * @param sendsText whether the program sent results of commands, which it stored as JSON, as text
 */
export function callOutput(output: unknown, sendsText: boolean): CallOutput {
  if (isObject(output)) {
    const { content, content_items: items, success } = output
    const isError = typeof success === "boolean" ? !success : undefined
    return { content: contentBlocks(Array.isArray(items) ? items : content), isError }
  }
  const shell = typeof output === "string" ? shellResult(output, sendsText) : undefined
  return shell ?? { content: contentBlocks(output), isError: typeof output === "string" ? failed(output) : undefined }
}

/** The result of a command as versions up to 0.98 store it. */
function shellResult(output: string, sendsText: boolean): CallOutput | undefined {
  const parsed = output.startsWith('{"output":') ? parsedObject(output) : undefined
  const details = parsed?.metadata
  if (!parsed || !isObject(details) || typeof parsed.output !== "string") return undefined
  const { exit_code: code, duration_seconds: seconds } = details
  if (typeof code !== "number") return undefined
  const text = `Exit code: ${code}\nWall time: ${seconds} seconds\nOutput:\n${parsed.output}`
  return {
    content: contentBlocks(sendsText && typeof seconds === "number" ? text : output),
    details,
    isError: code !== 0,
  }
}

/** Whether a call failed, as its output begins; of a command, as the lines before `Output:` say it. */
function failed(output: string): boolean | undefined {
  if (/^(?:(?:Wall time: [^\n]*\n)?aborted by user|apply_patch verification failed: )/.test(output)) return true
  const end = output.indexOf("\nOutput:")
  const code = /^(?:Exit code: |Process exited with code )(-?\d+)$/m.exec(end < 0 ? "" : output.slice(0, end))?.[1]
  return code === undefined ? undefined : Number(code) !== 0
}

/** The thinking of a reasoning item: its summary, or else the text that some models give openly. */
export function thinkingText(item: Json): string {
  const summary = textsIn(item.summary)
  return (summary.length > 0 ? summary : textsIn(item.content)).join("\n\n")
}

/** The texts of parts. */
export function textsIn(parts: unknown): string[] {
  return objectsIn(parts).flatMap((part) => textIn(part, "text") ?? [])
}
