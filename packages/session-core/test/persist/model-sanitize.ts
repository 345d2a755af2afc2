import { endingFor, LIMIT, NOTICE, refOf, sha256 } from "./samples.js"

// A second, plain reading of FORMAT.md, section 7, to hold the real one against: recursive, copying everything.

const DROPPED = ["partialJson", "jsonlEvents"]
const SIGNATURES = ["thinkingSignature", "textSignature", "thoughtSignature"]

interface Where {
  readonly withStore: boolean
  /** Keys from the top. */
  readonly keys: readonly string[]
  readonly sealed: boolean
}

/** What a line would hold of a value. */
export function modelSanitize(value: unknown, withStore: boolean): unknown {
  return sanitize(value, { withStore, keys: [], sealed: false })
}

function sanitize(value: unknown, where: Where): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      typeof item === "string" ? cut(item, where) : sanitize(item, below(where, index)),
    )
  }
  if (typeof value !== "object" || value === null) return value
  const fields = value as Record<string, unknown>
  const sealed = where.sealed || fields.type === "redactedThinking" || SIGNATURES.some((name) => Boolean(fields[name]))
  const members = Object.entries(fields)
    .filter(([key]) => !DROPPED.includes(key))
    .map(([key, held]) => [key, field(fields, key, held, { ...where, sealed: sealed || isEncrypted(key) })])
  // Own fields, also one that is named __proto__.
  return Object.fromEntries(members)
}

function field(holder: Record<string, unknown>, key: string, held: unknown, where: Where): unknown {
  if (where.sealed && typeof held === "string") return held
  if (key === "image_url" && typeof held === "string" && /^data:image\/[^,]*;base64,/i.test(held)) {
    return where.withStore && isWellFormed(held) ? `blob:sha256:${sha256(held)}` : held
  }
  if (key === "data" && typeof held === "string" && isImage(holder, where.keys)) {
    const isCanonical = Buffer.from(held, "base64").toString("base64") === held
    return where.withStore && held.length >= 1024 && isCanonical ? refOf(held) : held
  }
  if (key === "lineCount" && typeof held === "number" && typeof holder.content === "string" && !where.sealed) {
    const content = cut(holder.content, where, held)
    return content === holder.content ? held : content.split("\n").length
  }
  if (typeof held === "string") {
    return cut(held, where, key === "content" && typeof holder.lineCount === "number" ? holder.lineCount : undefined)
  }
  return sanitize(held, below(where, key))
}

function cut(text: string, { withStore, sealed }: Where, lineCount?: number): string {
  if (sealed || text.length <= LIMIT || (withStore && !isWellFormed(text))) return text
  const odd = lineCount === text.split("\n").length ? undefined : lineCount
  const ending = withStore ? endingFor(text, odd) : `\n\n${NOTICE}`
  const kept = text.slice(0, LIMIT - ending.length)
  return kept.replace(/[\ud800-\udbff]$/, "") + ending
}

function isImage(holder: Record<string, unknown>, keys: readonly string[]): boolean {
  if (holder.type === "image") return true
  const isListed = keys.at(-2) === "images" && keys.at(-1) === "[]"
  return isListed && typeof holder.mimeType === "string" && holder.mimeType.startsWith("image/")
}

function isEncrypted(key: string): boolean {
  return key === "redactedThinking" || key === "encrypted_content"
}

function below(where: Where, key: string | number): Where {
  return { ...where, keys: [...where.keys, typeof key === "number" ? "[]" : key] }
}

/** Whether UTF-8 can hold the text: every surrogate is half of a pair. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}
