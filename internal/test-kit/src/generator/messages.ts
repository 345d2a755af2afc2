import type { Author } from "./author.js"
import { imageOf } from "./image.js"
import type { Model } from "./models.js"
import { codeOf, type ToolCall, toolCallOf } from "./tool-call.js"
import { usageOf } from "./usage.js"
import { COMMANDS } from "./vocabulary.js"

export function userMessage(author: Author) {
  const { random, text, shape } = author
  const words = text.prose(random.size(random.chance(0.1) ? 3_000 : 140))
  const timestamp = author.after(90_000)
  if (random.chance(shape.images))
    return { role: "user", content: [{ type: "text", text: words }, imageOf(author)], timestamp }
  return { role: "user", content: random.chance(0.5) ? words : [{ type: "text", text: words }], timestamp }
}

/** An answer that calls tools, or ends the turn when `calls` is 0. */
export function assistantMessage(author: Author, model: Model, calls: number) {
  const { random, text } = author
  const toolCalls = Array.from({ length: calls }, () => toolCallOf(author, model))
  const thinking = random.chance(0.3) ? [thinkingBlock(author, model)] : []
  const prose = calls === 0 || random.chance(0.4) ? [{ type: "text", text: text.prose(random.size(330, 1.5)) }] : []
  const content = [...thinking, ...prose, ...toolCalls]
  const usage = usageOf(random, random.between(20, 2_000))
  const stopReason = calls === 0 ? "stop" : "toolUse"
  return { role: "assistant", content, ...model, usage, stopReason, timestamp: author.after(20_000) }
}

/** A turn that ended badly: nothing, or half an answer, and why. */
export function failedMessage(author: Author, model: Model) {
  const { random, text } = author
  const content = random.chance(0.5) ? [] : [{ type: "text", text: text.prose(60) }]
  const aborted = random.chance(0.6)
  return {
    role: "assistant",
    content,
    ...model,
    usage: usageOf(random, 0),
    stopReason: aborted ? "aborted" : "error",
    timestamp: author.after(5_000),
    errorMessage: aborted ? "Request was aborted." : '529 {"type":"error","error":{"type":"overloaded_error"}}',
  }
}

export function toolResultMessage(author: Author, call: ToolCall) {
  const { random } = author
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    ...toolOutput(author, call),
    isError: random.chance(0.03),
    timestamp: author.after(4_000),
  }
}

export function bashMessage(author: Author) {
  const { random, text } = author
  const truncated = random.chance(0.1)
  return {
    role: "bashExecution",
    command: random.pick(COMMANDS),
    output: text.code(random.size(800)),
    exitCode: random.chance(0.2) ? 1 : 0,
    cancelled: false,
    truncated,
    ...(truncated && { fullOutputPath: `/tmp/pi-bash-${random.hex(16)}.log` }),
    ...(random.chance(0.2) && { excludeFromContext: true }),
    timestamp: author.after(10_000),
  }
}

function thinkingBlock({ random, text }: Author, { provider }: Model) {
  const thinking = text.prose(random.size(400))
  const signature = text.base64(random.size(700))
  const item = { type: "reasoning", id: `rs_${random.hex(50)}`, summary: [], encrypted_content: signature }
  return { type: "thinking", thinking, thinkingSignature: provider === "openai" ? JSON.stringify(item) : signature }
}

/** Real tools cut their output here. UTF-16 units. */
const OUTPUT_LIMIT = 50_000
/** Files are longer than what commands print: together they have the mean that the shape asks for. */
const READ_SHARE = 3.6
const PRINTED_SHARE = 0.75
/** Half of all outputs have less than 300 bytes, and one in a hundred reaches the limit. */
const SPREAD = 1.9

/** The output of a tool, and its `details`. A truncated file is in both, as pi writes it. */
function toolOutput(author: Author, { name, arguments: { path } }: ToolCall): Record<string, unknown> {
  const { random, text, shape } = author
  if (name === "edit") {
    const said = `Successfully replaced 1 block(s) in ${path}. The file was read again and has ${random.below(900)} lines.`
    return { content: [{ type: "text", text: said }], details: { diff: codeOf(author, 1_450) } }
  }
  if (name === "write")
    return { content: [{ type: "text", text: `Successfully wrote ${random.below(50_000)} bytes to ${path}.` }] }
  const size = random.size(shape.toolOutput * (name === "read" ? READ_SHARE : PRINTED_SHARE), SPREAD)
  const output = text.code(Math.min(size, OUTPUT_LIMIT))
  const content = [{ type: "text", text: output }]
  return name === "read" && size > OUTPUT_LIMIT
    ? { content, details: { truncation: cutting(output, size) } }
    : { content }
}

function cutting(output: string, totalBytes: number) {
  const outputLines = output.split("\n").length
  return {
    content: output,
    truncated: true,
    truncatedBy: "bytes",
    totalLines: Math.ceil((outputLines * totalBytes) / OUTPUT_LIMIT),
    totalBytes,
    outputLines,
    outputBytes: Buffer.byteLength(output),
    lastLinePartial: false,
    firstLineExceedsLimit: false,
  }
}
