import { isJsonObject } from "./json-object.js"

/** The text of a message's content: a string as it is, or the text blocks joined by line breaks. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content
    .filter((block) => isJsonObject(block) && block.type === "text" && typeof block.text === "string")
    .map((block) => block.text)
    .join("\n")
}
