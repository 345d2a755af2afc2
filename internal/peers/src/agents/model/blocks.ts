export type Json = Record<string, unknown>

/** The blocks or items of a message, also where it is a text. */
export function blocksOf(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : ((content ?? []) as Json[])
}

export function textOf(content: unknown): string {
  return blocksOf(content)
    .map(({ text }) => text)
    .filter((text) => typeof text === "string")
    .join("\n")
}
