import { readFileSync } from "node:fs"
import { digestOf } from "../digest.js"

/** Describes the messages of a session's file: who stored the very same gives the same. */
export function storedMessages(file: string): string {
  const lines = readFileSync(file, "utf8").split("\n")
  const messages = lines.flatMap((line) => {
    const { message } = (line === "" ? {} : JSON.parse(line)) as { message?: unknown }
    return message === undefined ? [] : [message]
  })
  return `${messages.length} messages, ${digestOf(messages)}`
}
