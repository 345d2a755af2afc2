import { isJsonObject, type JsonObject } from "./values.js"

/** A document in a message: of Claude Code, of OpenAI's APIs, or of the Vercel AI SDK. */
export interface FoundDocument {
  readonly name: string | undefined
  /** Such as `application/pdf`; undefined where it is not said. */
  readonly mimeType: string | undefined
  /** What a document of text says. */
  readonly text: string | undefined
  /** Base64. */
  readonly data: string | undefined
  readonly url: string | undefined
}

const DATA_URL = /^data:([^;,]+)(?:;[^,]*)?;base64,/

/** The document that a block is; undefined for other blocks. */
export function documentIn(block: JsonObject): FoundDocument | undefined {
  if (block.type === "document" && isJsonObject(block.source)) return storedDocument(block, block.source)
  if (block.type === "input_file") return fileOf(block.filename, undefined, block.file_data ?? block.file_url)
  const part = block.type === "uiPart" && isJsonObject(block.part) ? block.part : undefined
  const [type, at] = [part?.mediaType, part?.url]
  // One with an address is fetched by who reads it.
  const isImage =
    typeof type === "string" && type.startsWith("image/") && !(typeof at === "string" && /^https?:/.test(at))
  return part?.type === "file" && !isImage ? fileOf(part.filename, part.mediaType, part.url) : undefined
}

function storedDocument({ title }: JsonObject, { type, media_type, data, url, content }: JsonObject): FoundDocument {
  const inner = Array.isArray(content)
    ? content.filter(isJsonObject).map(({ text }) => filledText(text) ?? "")
    : undefined
  const text =
    type === "text" ? filledText(data) : type === "content" ? (filledText(content) ?? inner?.join("\n")) : undefined
  return {
    name: filledText(title),
    mimeType: filledText(media_type),
    text,
    data: type === "base64" ? filledText(data) : undefined,
    url: type === "url" ? filledText(url) : undefined,
  }
}

function fileOf(name: unknown, mediaType: unknown, place: unknown): FoundDocument {
  const at = filledText(place)
  const [head, found] = DATA_URL.exec(at ?? "") ?? []
  return {
    name: filledText(name),
    mimeType: filledText(mediaType) ?? found,
    text: undefined,
    data: head === undefined ? undefined : at?.slice(head.length),
    url: head === undefined ? at : undefined,
  }
}

function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}
