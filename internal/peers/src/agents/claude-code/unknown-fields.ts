import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Json } from "../model/blocks.js"
import { KNOWN_ATTACHMENTS, KNOWN_FIELDS } from "./known-fields.js"

/** The fields of lines, and the kinds of attachments, in the files of a folder that nobody has looked at. */
export async function unknownFields(folder: string): Promise<Set<string>> {
  const unknown = new Set<string>()
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(".jsonl")) continue
    const lines = (await readFile(join(folder, name), "utf8")).split("\n").filter((line) => line !== "")
    for (const line of lines) addUnknown(JSON.parse(line), unknown)
  }
  return unknown
}

function addUnknown({ type, ...record }: Json, unknown: Set<string>): void {
  const attachment = (record.attachment ?? {}) as Json
  if (type === "attachment" && !KNOWN_ATTACHMENTS.has(String(attachment.type)))
    unknown.add(`attachment ${attachment.type}`)
  const isMessage = type === "user" || type === "assistant"
  const inMessage = isMessage ? Object.keys(record.message as Json).map((field) => `message.${field}`) : []
  for (const field of [...Object.keys(record), ...inMessage])
    if (!KNOWN_FIELDS.has(field)) unknown.add(`${type}.${field}`)
}
