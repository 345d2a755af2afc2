import type { Author } from "./author.js"
import { codeOf, type ToolCall } from "./tool-call.js"

/** Real tools cut their output here. UTF-16 units. */
const OUTPUT_LIMIT = 50_000
/** Files are longer than what commands print: together they have the mean that the shape asks for. */
const READ_SHARE = 3.6
const PRINTED_SHARE = 0.75
/** Half of all outputs have less than 300 bytes, and one in a hundred reaches the limit. */
const SPREAD = 1.9

/** The output of a tool, and its `details`. A truncated file is in both, as pi writes it. */
export function toolOutput(author: Author, { name, arguments: { path } }: ToolCall): Record<string, unknown> {
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
