import { contentText, isJsonObject, type JsonObject } from "./values.js"

/** A document in a prompt or a result, in the form of Anthropic's API, as Claude Code stores it. */
export interface DocumentContent {
  type: "document"
  source: JsonObject
  title?: string
}

export function isDocument(block: unknown): block is DocumentContent & JsonObject {
  return isJsonObject(block) && block.type === "document" && isJsonObject(block.source)
}

/** Its text; empty where it has none, as a PDF. */
export function documentText({ source }: Pick<DocumentContent, "source">): string {
  if (source.type === "text") return typeof source.data === "string" ? source.data : ""
  return source.type === "content" ? contentText(source.content) : ""
}

/** Such as `spec.pdf application/pdf`. What was stored: clean it before you display it. */
export function documentName({ title, source }: Pick<DocumentContent, "title" | "source">): string {
  const parts = [title, source.media_type ?? source.url ?? source.file_id]
  return parts.filter((part) => typeof part === "string" && part !== "").join(" ")
}

/** The titles and texts of the documents of a content. */
export function documentTexts(content: unknown): string {
  const documents = Array.isArray(content) ? content.filter(isDocument) : []
  return documents
    .flatMap((document) => [document.title, documentText(document)])
    .filter((text) => typeof text === "string" && text !== "")
    .join("\n")
}
