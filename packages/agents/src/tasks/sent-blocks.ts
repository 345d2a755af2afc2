import type { ContentBlock } from "@treelog/session-core"
import { isObject, type Json } from "../kit.js"

// What Cline 3 sends of what it stores. UTF-16 units.
const LONGEST_RESULT = 8_000
const LONGEST_FILE = 50_000
const LONGEST_TEXT = 200_000
const LONGEST_MARKUP = 12_000
/** So many marks of calls in a text are a model that repeats itself. */
const REPEATED = 8

const BAR = "[|\uFF5C]"
const MARKUP = new RegExp(
  `<\\s*(?:${BAR}\\s*)?DSML\\s*(?:${BAR}\\s*)?(?:tool_calls|invoke)\\b[^>]*>|<\\s*/?\\s*(?:tool_calls?|function_calls?|invoke)\\b[^>]*>`,
  "gi",
)

/** A block of a message as it is sent: long texts lose their middle. */
export function sentBlock(block: Json, role: unknown): Json {
  const { type, text, content } = block
  if (type === "file" && typeof content === "string") return { ...block, content: shortened(content, LONGEST_FILE) }
  if (type === "text" && role === "assistant" && typeof text === "string") return { ...block, text: shortReply(text) }
  return block
}

function shortReply(text: string): string {
  const marks = text.length > LONGEST_MARKUP ? (text.match(MARKUP)?.length ?? 0) : 0
  const omitted = (why: string) => (count: number) =>
    `\n\n...[assistant text truncated: omitted ${count} chars${why}]...\n\n`
  if (marks >= REPEATED) return withoutMiddle(text, LONGEST_MARKUP, omitted(" due to repeated tool-call markup"))
  return withoutMiddle(text, LONGEST_TEXT, omitted(""))
}

/** The blocks of a result: texts and images are blocks, and of what else it consists of images alone; the rest is sent as JSON. */
export function resultBlocks(content: unknown, isError: boolean): ContentBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  const list = Array.isArray(content) ? content : []
  const isPlain =
    list.length > 0 &&
    list.every((one) => isImage(one) || (isObject(one) && typeof one.text === "string" && one.type === "text"))
  if (isPlain && !isError) return list.map((one) => (isImage(one) ? imageBlock(one) : { type: "text", text: one.text }))
  const images: Json[] = []
  const rest = withoutImages(content, images, isError)
  const isChanged = images.length > 0
  return [
    { type: "text", text: JSON.stringify(isChanged ? rest : content) },
    ...(isError ? [] : images.map(imageBlock)),
  ]
}

/** The content of a result as it is sent. */
export function sentResult(content: unknown): unknown {
  if (typeof content === "string") return shortened(content, LONGEST_RESULT)
  if (Array.isArray(content)) return content.map(sentResult)
  if (!isObject(content) || isImage(content)) return content
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, sentResult(value)]))
}

/** Puts images in a list. What they stand among is a text by itself then. */
function withoutImages(value: unknown, images: Json[], isError: boolean): unknown {
  if (Array.isArray(value))
    return value.flatMap((one) => {
      if (isImage(one)) {
        images.push(one)
        return isError ? [OMITTED] : []
      }
      return isObject(one) && one.type === "text" && typeof one.text === "string"
        ? [one.text]
        : [withoutImages(one, images, isError)]
    })
  if (!isObject(value)) return value
  if (isImage(value)) {
    images.push(value)
    return isError ? OMITTED : "[image attached]"
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutImages(one, images, isError)]))
}

const OMITTED = "[media omitted: invalid or exceeds size limit]"

function isImage(value: unknown): value is Json & { readonly data: string; readonly mediaType: string } {
  return (
    isObject(value) && value.type === "image" && typeof value.data === "string" && typeof value.mediaType === "string"
  )
}

function imageBlock({ data, mediaType }: Json): ContentBlock {
  return { type: "image", data: String(data), mimeType: String(mediaType) }
}

function shortened(text: string, longest: number): string {
  return withoutMiddle(text, longest, (count) => `\n\n...[truncated ${count} chars]...\n\n`)
}

/** A text of at most so many units, in which a mark says how many are missing: its length depends on that number. */
function withoutMiddle(text: string, longest: number, mark: (count: number) => string): string {
  if (text.length <= longest) return text
  const kept = (marked: string): number => Math.max(0, Math.floor((longest - marked.length) / 2))
  const marked = mark(text.length - kept(mark(text.length - longest)) * 2)
  const end = kept(marked)
  return `${text.slice(0, end)}${marked}${end > 0 ? text.slice(-end) : ""}`
}
