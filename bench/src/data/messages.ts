import { readFileSync } from "node:fs"
import type { Recipe } from "./recipe.js"

/** A session with a little more than 10,000 messages, whose sizes are those of a real one. */
export const MANY_MESSAGES: Recipe = {
  kind: "session",
  seed: 2,
  style: "pi",
  entries: 10_600,
  compactions: 0,
  images: 0,
}

/** So many messages as real sessions have them: 2.4 KB on average, most of them below 1 KB. */
export function realMessages(file: string, count: number): object[] {
  const messages: object[] = []
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const { message } = (line === "" ? {} : JSON.parse(line)) as { message?: object }
    if (message) messages.push(message)
    if (messages.length === count) return messages
  }
  throw new RangeError(`${file} has ${messages.length} messages, and not ${count}.`)
}

/** So many messages of 100 bytes. */
export function smallMessages(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: [{ type: "text", text: `Message ${index} of a session.` }],
    timestamp: index,
  }))
}
