import { isJsonObject, type JsonObject } from "../../entry/json-object.js"

// Messages of the role `fileMention` (omp, xcsh): the files that a user mentioned with @.

/** The files of a message that can be read. */
export function mentionedFiles(message: object): JsonObject[] {
  const files: unknown = "files" in message ? message.files : undefined
  return Array.isArray(files) ? files.filter(isJsonObject) : []
}

/** The text for the model (FORMAT.md, section 6). */
export function fileMentionText(files: readonly JsonObject[]): string {
  const parts = files.map(({ path, content }) => {
    const inner = typeof content === "string" && content !== "" ? `\n${content}\n` : "\n"
    return `<file path="${typeof path === "string" ? path : ""}">${inner}</file>`
  })
  return `<system-reminder>\n${parts.join("\n\n")}\n</system-reminder>`
}
