import { isJsonObject } from "./json-object.js"

/** The text of a message's content: a string as it is, of blocks those of type text, a line break between two. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content
    .filter((block) => isJsonObject(block) && block.type === "text" && typeof block.text === "string")
    .map((block) => block.text)
    .join("\n")
}
