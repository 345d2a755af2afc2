import { kindOf, type SessionEntry } from "@treelog/session-core"
import { cleanTabbed } from "@treelog-internal/text"
import { foldCase } from "../text/fold-case.js"
import { blocksOf, type Fields, isFields } from "./fields.js"
import type { PageSession } from "./page-session.js"

/** An entry that contains the text. */
export interface SearchHit {
  readonly ordinal: number
  /** The text before the first match, as one line. */
  readonly before: string
  readonly match: string
  readonly after: string
}

const AROUND = 60

/** Characters that JSON may escape: a text with them cannot be searched in the stored line. */
const ESCAPED = /["\\\p{Cc}\u2028\u2029]/u

/**
 * Searches the texts of all entries for a text, ignoring case, in file order. Yields undefined after an entry without a match, so
 * that the caller can pause.
 */
export function* searchEntries(session: PageSession, query: string): Generator<SearchHit | undefined> {
  const wanted = foldCase(query)
  const isPlain = !ESCAPED.test(query)
  for (let ordinal = 0; ordinal < session.count; ordinal++) {
    if (session.isLeafMarker(ordinal)) continue
    const line = isPlain ? session.line(ordinal) : undefined
    if (line !== undefined && !line.includes("\\u") && !foldCase(line).includes(wanted)) yield undefined
    else yield hitIn(textsOf(session.entry(ordinal)), wanted, ordinal)
  }
}

function hitIn(texts: Iterable<string>, wanted: string, ordinal: number): SearchHit | undefined {
  for (const text of texts) {
    const at = foldCase(text).indexOf(wanted)
    if (at === -1) continue
    const from = Math.max(0, at - AROUND)
    const to = at + wanted.length
    const oneLine = (part: string): string => cleanTabbed(part).replace(/\s+/g, " ")
    return {
      ordinal,
      before: (from > 0 ? "…" : "") + oneLine(text.slice(from, at)).trimStart(),
      match: oneLine(text.slice(at, to)),
      after: oneLine(text.slice(to, to + AROUND)).trimEnd() + (to + AROUND < text.length ? "…" : ""),
    }
  }
  return undefined
}

/** The texts of an entry in the order in which they are shown, without images and signatures. */
function* textsOf(entry: SessionEntry): Generator<string> {
  const fields = entry as unknown as Fields
  yield entry.id
  if (entry.type === "message" && isFields(fields.message)) yield* textsOfMessage(fields.message)
  else if (entry.type === "custom_message") yield* textsOfContent(fields.content)
  else if (typeof fields.summary === "string") yield fields.summary
  else {
    yield kindOf(entry).describe(entry)
    yield* leavesOf(fields, NAMES_OF_HEADS)
  }
}

function* textsOfMessage(message: Fields): Generator<string> {
  yield* textsOfContent(message.content)
  yield* leavesOf(message, NAMES_OF_MESSAGES)
}

function* textsOfContent(content: unknown): Generator<string> {
  for (const block of blocksOf(content)) yield* leavesOf(block, NAMES_OF_BLOCKS)
}

const NAMES_OF_HEADS = new Set(["id", "parentId", "timestamp", "type"])
const NAMES_OF_MESSAGES = new Set(["role", "content", "timestamp", "api", "toolCallId", "usage"])
const NAMES_OF_BLOCKS = new Set([
  "type",
  "id",
  "data",
  "mimeType",
  "textSignature",
  "thinkingSignature",
  "thoughtSignature",
  "encrypted_content",
])

/** Every string in a value, however deep. Not recursive. */
function* leavesOf(value: Fields, except: ReadonlySet<string>): Generator<string> {
  const open: unknown[] = Object.entries(value)
    .filter(([name]) => !except.has(name))
    .map(([, part]) => part)
    .reverse()
  while (open.length > 0) {
    const part = open.pop()
    if (typeof part === "string") yield part
    else if (Array.isArray(part)) for (let index = part.length - 1; index >= 0; index--) open.push(part[index])
    else if (isFields(part)) {
      const inner = Object.entries(part).filter(([name]) => name !== "data" || part.type !== "image")
      for (let index = inner.length - 1; index >= 0; index--) open.push(inner[index]?.[1])
    }
  }
}
