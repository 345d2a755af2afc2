import { documentIn } from "@treelog/session-core/adapter"
import { jsonText } from "@treelog/session-core/json"
import { cleanLine } from "./clean-text.js"
import { sizeText } from "./quantities.js"

type FoundDocument = NonNullable<ReturnType<typeof documentIn>>

/** A stored object: any field may be missing, or of any type. */
export type Fields = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The blocks of a message's content; a text alone is one block. */
export function blocksOf(content: unknown): Fields[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

/** The image that a block is, with `mimeType` and `data`: an image block, or one of OpenAI's APIs with a data URL, or that a model made. */
export function imageIn(block: Fields): Fields | undefined {
  if (block.type === "image") return block
  if (block.type === "image_generation_call" && typeof block.result === "string" && block.result !== "")
    return { mimeType: `image/${cleanLine(block.output_format) || "png"}`, data: block.result }
  const url = isObject(block.image_url) ? block.image_url.url : block.image_url
  const [, mimeType, data] = (typeof url === "string" && /^data:([\w/+.-]+);base64,(.*)$/s.exec(url)) || []
  return data === undefined ? undefined : { mimeType, data }
}

/** A block of a type that has no form of its own, without the rest of what is encrypted or a file. @param spacing as of `jsonText` */
export function blockJson(block: Fields, spacing?: "indented"): string {
  const text = jsonText(block, spacing) ?? ""
  return text.replace(SEALED, (_, start, rest) => `"${start}… (${sizeText(start.length + rest.length)})"`)
}
const SEALED = /"([^"\\\s]{40})([^"\\\s]{984,})"/g

/** `[image image/png 12 KB]`, or with the blob reference where the picture is stored apart, or where it is. */
export function imageLabel({ data, mimeType, source }: Fields): string {
  const place = isObject(source) ? cleanLine(source.url) : ""
  const kind = cleanLine(mimeType) || place || "of unknown type"
  if (typeof data !== "string") return `[image ${kind}]`
  if (!data.startsWith("blob:")) return `[image ${kind} ${sizeText(Math.floor((data.length * 3) / 4))}]`
  const [reference = ""] = /^blob:\w+:\w{0,12}/.exec(data) ?? []
  return `[image ${kind} ${reference || "blob"}]`
}

/** The document that a block is, or the file that it names, whose content is elsewhere. */
export function documentOf(block: Fields): FoundDocument | undefined {
  const { type, title, mimeType, url } = block
  if (type !== "file" || typeof url !== "string") return documentIn(block)
  const [name, kind] = [title, mimeType].map((one) => (typeof one === "string" ? one : undefined))
  return { name, mimeType: kind, text: undefined, data: undefined, url }
}

/** `[document application/pdf spec.pdf 12 KB]` */
export function documentLabel({ name, mimeType, data, text, url }: FoundDocument): string {
  const size = data?.startsWith("blob:") ? "" : data === undefined ? "" : sizeText(Math.floor((data.length * 3) / 4))
  const kind = mimeType ?? (text === undefined ? "" : "text/plain")
  return `[${["document", kind, name, size, url].map(cleanLine).filter(Boolean).join(" ")}]`
}

/** Cleaning takes away some of a text, but hardly more than that. */
const UNCLEAN_UNITS = 8

/**
 * `read(path="a.ts", limit=3)`
 * @param most so many characters are wanted of it: of a file that is written, say, no more is read
 */
export function callLabel({ name, arguments: given }: Fields, most = Number.POSITIVE_INFINITY): string {
  const parts = isObject(given) ? Object.entries(given).map(([key, value]) => `${key}=${jsonText(value)}`) : []
  return cleanLine(`${asName(name)}(${parts.join(", ")})`.slice(0, most * UNCLEAN_UNITS))
}

function asName(name: unknown): string {
  return typeof name === "string" && name !== "" ? name : "unknown tool"
}

/** How an answer ended, when it did not end well: why, unless the answer itself says that. */
export function endingText({ stopReason, errorMessage, content }: Fields): string | undefined {
  if (stopReason !== "error" && stopReason !== "aborted") return undefined
  const why = cleanLine(errorMessage)
  const isSaid = why !== "" && blocksOf(content).some(({ type, text }) => type === "text" && cleanLine(text) === why)
  return `(${stopReason}) ${isSaid ? "" : why}`.trim()
}
