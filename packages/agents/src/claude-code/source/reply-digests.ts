import { isObject, type Json, textIn } from "@treelog-internal/agent-files"

/** The fields of blocks that are sent. */
const SENT = ["type", "text", "thinking", "signature", "data", "id", "name", "input"]

/**
 * The digests under which a request may name a reply: SHA-256 of its message with sorted fields, as it is in the file and without empty texts. None
 * where the runtime has no `node:crypto`, such as a page.
 * @param isForeign whether the request is for another model, which gets no thoughts
 */
export function replyDigests(content: readonly Json[], isForeign: boolean): string[] {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto")
  if (!crypto) return []
  const blocks = content
    .filter(({ type }) => !isForeign || (type !== "thinking" && type !== "redacted_thinking"))
    .map((block) => Object.fromEntries(SENT.flatMap((field) => (field in block ? [[field, block[field]]] : []))))
  const filled = blocks.filter((block) => block.type !== "text" || textIn(block, "text") !== undefined)
  return [blocks, filled].map((sent) =>
    crypto
      .createHash("sha256")
      .update(sortedJson({ role: "assistant", content: sent }))
      .digest("hex"),
  )
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (isObject(inner) ? sorted(inner) : inner))
}

function sorted(value: Json): Json {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
