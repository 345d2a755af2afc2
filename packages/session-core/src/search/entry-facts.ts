import { FileOperations } from "../context/file-operations.js"
import { mentionedFiles } from "../context/message-part.js"
import { isSystemMessage, systemText } from "../context/system-message.js"
import { documentIn } from "../entry/document.js"
import { isEntry, type SessionEntry } from "../entry/entry.js"
import { readableResult } from "../entry/json-text.js"
import { partOf, type SessionPart } from "../entry/part.js"
import { type ModelUsage, reportedModel, usagesOf } from "../entry/usage.js"
import {
  contentText,
  isJsonObject,
  type JsonObject,
  millisOf,
  objectsIn,
  stampText,
  textIn,
  withoutSequences,
} from "../entry/values.js"
import { fingerprint } from "../log/bytes.js"
import { encodeText } from "../log/format-line.js"
import type { HitPart, TextRole } from "../ports/session-index.js"
import { splitReminders } from "./reminders.js"

/** What an index of sessions derives from an entry. */
export interface EntryFacts {
  readonly id: string
  /** As it is stored. */
  readonly timestamp: string
  /** Milliseconds since 1970; 0 if the timestamp is none. */
  readonly time: number
  /** What can be searched, in this order; none is empty. */
  readonly texts: readonly EntryText[]
  /**
   * A number of what it says: of a reply if there is one, else of all its texts. With id and timestamp, it distinguishes an entry from all but
   * its copies: ids alone can be claimed by another.
   */
  readonly content: number
  /**
   * Of a reply that its provider gave an id: a number of that and of what it says, which its copies have under whatever id and at whatever time.
   * Programs that continue a session in another file store copies of what was said, each with an id and a time of its own.
   */
  readonly response?: number
  /**
   * Of a reply that its provider gave an id: a number of that, of its model and of what it read, which a copy that ends within the reply has, too:
   * what was used counts once for all of these.
   */
  readonly call?: number
  readonly usages: readonly ModelUsage[]
  /** Files that it read, and did not change. */
  readonly readFiles: readonly string[]
  readonly changedFiles: readonly string[]
  /** Of a label: the labelled entry. */
  readonly targetId?: string
}

/** The facts of an entry, and the bytes of its session that they were derived from. */
export interface PlacedFacts extends EntryFacts {
  /** Where the bytes begin. Bytes. */
  readonly offset: number
  /** Bytes. */
  readonly length: number
  /** A number of 53 bits that other bytes hardly have. */
  readonly digest: number
}

/** A text that can be searched. */
export interface EntryText {
  readonly role: TextRole
  readonly text: string
  /** The model that said it: `provider/model`. */
  readonly model?: string
  /** The tool of a call or a result. */
  readonly tool?: string
  /** The part of the session that has it. */
  readonly part?: HitPart
  /** Of a text in a part: when it was said. Milliseconds since 1970. */
  readonly time?: number
}

/**
 * Derives what every index of sessions keeps of an entry, as long as none of its calls fails. Pure; accepts entries with missing or odd
 * fields.
 * @param parts the names of the parts of its session, which count what they used themselves
 */
export function entryFacts(entry: SessionEntry, parts?: ReadonlySet<string>): EntryFacts {
  const files = new FileOperations()
  files.addEntry(entry)
  const part = partOf(entry)
  if (part) files.addLists(part)
  const { readFiles, modifiedFiles } = files.lists()
  const texts = searched(part ? partTexts(part) : textsOf(entry))
  // A part is said in another session, and goes on there.
  const content = part ? 0 : contentOf(texts)
  const usages = usagesOf(entry, parts)
  const isLabel = isEntry(entry, "label") && typeof entry.targetId === "string"
  return {
    id: entry.id,
    timestamp: stampText(entry.timestamp),
    time: millisOf(entry.timestamp),
    texts,
    content,
    ...responseOf(entry, content, usages),
    usages,
    readFiles,
    changedFiles: modifiedFiles,
    ...(isLabel && { targetId: entry.targetId }),
  }
}

/** What sums need of an entry; undefined where it reports no usage. @param parts as of `entryFacts` */
export function usageFacts(entry: SessionEntry, parts?: ReadonlySet<string>): EntryFacts | undefined {
  const usages = usagesOf(entry, parts)
  if (usages.length === 0) return undefined
  const { timestamp } = entry
  const message = isEntry(entry, "message") && isJsonObject(entry.message) ? entry.message : undefined
  // What a reply says is enough where it says something.
  const reply = message?.role === "assistant" ? searched([replyText(message)]) : []
  const content = contentOf(reply.length > 0 ? reply : searched(textsOf(entry)))
  return {
    id: entry.id,
    timestamp: stampText(timestamp),
    time: millisOf(timestamp),
    content,
    ...responseOf(entry, content, usages),
    usages,
    ...{ texts: [], readFiles: [], changedFiles: [] },
  }
}

/** In an id of a provider. Gateways give all their replies ids such as `chatcmpl-0`, also to requests of equal length. */
const RANDOM = /(?=[a-z]*\d)[a-z\d]{8,}/i

function responseOf(
  entry: SessionEntry,
  content: number,
  [first]: readonly ModelUsage[],
): Pick<EntryFacts, "response" | "call"> {
  const { responseId } = isEntry(entry, "message") ? (entry.message as { readonly responseId?: unknown }) : {}
  if (typeof responseId !== "string" || responseId === "") return {}
  const response = fingerprint(encodeText(`${content} ${responseId}`))
  if (first === undefined || !RANDOM.test(responseId)) return { response }
  const { input, cacheRead, cacheWrite } = first.usage
  const read = [input, cacheRead, cacheWrite]
  if (read.every((tokens) => tokens === 0)) return { response }
  return { response, call: fingerprint(encodeText(`${first.model} ${read.join(" ")} ${responseId}`)) }
}

/**
 * The data of the entry that stands for a part: what is searched and counted of its entries. Their usage is not: whoever makes the part
 * reports it once, with what else the session used.
 */
export function partData(part: SessionPart, entries: Iterable<SessionEntry>): JsonObject {
  const files = new FileOperations()
  const texts: EntryText[] = []
  let [title, messages] = [part.title, 0]
  for (const entry of entries) {
    files.addEntry(entry)
    files.addResult(entry)
    const time = millisOf(entry.timestamp)
    const own = searched(textsOf(entry)).map((one) => (time > 0 ? { ...one, time } : one))
    texts.push(...own)
    if (entry.type === "message") messages += 1
    title ??= own.find(({ role }) => role === "user")?.text.slice(0, LONGEST_TITLE)
  }
  return { ...part, ...(title !== undefined && { title }), messages, texts, ...files.lists() }
}

/** Of a longer text, the rest may be in a blob that is missing. UTF-16 units. */
const COMPARED = 400_000

function contentOf(texts: readonly EntryText[]): number {
  const replies = texts.filter(({ role }) => role === "assistant")
  const said = (replies.length > 0 ? replies : texts).map(({ role, text }) => `${role} ${text.slice(0, COMPARED)}`)
  return said.length === 0 ? 0 : fingerprint(encodeText(said.join("\n")))
}

/** Those that are not empty, as they are shown: a word that begins where the text takes a colour is a word. */
function searched(texts: readonly EntryText[]): EntryText[] {
  return texts.flatMap((one) => {
    const text = withoutSequences(one.text)
    return text === "" ? [] : text === one.text ? one : { ...one, text }
  })
}

/** UTF-16 units. */
const LONGEST_TITLE = 200

function partTexts({ name, role, texts }: SessionPart & JsonObject): EntryText[] {
  const found = objectsIn(texts).filter(({ text }) => typeof text === "string") as unknown as EntryText[]
  return found.map(({ time, ...one }) => ({ ...one, ...(Number.isFinite(time) && { time }), part: { name, role } }))
}

function textsOf(entry: SessionEntry): EntryText[] {
  const fields = entry as unknown as JsonObject
  switch (entry.type) {
    case "message":
      return isJsonObject(fields.message) ? messageTexts(fields.message) : []
    case "compaction":
    case "branch_summary":
      return [{ role: "summary", text: linesOf([fields.shortSummary, fields.summary]) }]
    case "custom_message":
      return [{ role: fields.display === false ? "other" : "toolResult", text: contentText(fields.content) }]
    case "session_init":
      return [
        { role: "user", text: textIn(fields.task) },
        { role: "other", text: textIn(fields.systemPrompt) },
      ]
    case "label":
      return [{ role: "label", text: textIn(fields.label) }]
    case "session_info":
      return [{ role: "name", text: textIn(fields.name) }]
    case "title_change":
      return [{ role: "name", text: textIn(fields.title) }]
    default:
      return []
  }
}

function messageTexts(message: JsonObject): EntryText[] {
  const { role, content } = message
  switch (role) {
    case "user": {
      const { said, reminders } = splitReminders(contentText(content))
      const typed = typeof message.prompt === "string" ? message.prompt : said
      return [
        { role: "user", text: linesOf([typed, ...otherTexts(content)]) },
        { role: "toolResult", text: typed === said ? "" : addedTo(typed, said) },
        { role: "other", text: reminders },
      ]
    }
    case "assistant":
      return answerTexts(message)
    case "toolResult":
      return [
        {
          role: "toolResult",
          text: linesOf([...resultTexts(content), ...otherTexts(content)]),
          ...toolOf(message.toolName),
        },
      ]
    case "bashExecution":
      return runTexts("bash", message.command, message.output)
    case "pythonExecution":
      return runTexts("python", message.code, message.output)
    case "fileMention": {
      const files = mentionedFiles(message)
      return [
        { role: "user", text: linesOf(files.map(({ path }) => path)) },
        { role: "toolResult", text: linesOf(files.map((file) => file.content)) },
      ]
    }
    case "branchSummary":
    case "compactionSummary":
      return [{ role: "summary", text: linesOf([message.shortSummary, message.summary]) }]
    default:
      return [{ role: "other", text: isSystemMessage(message) ? systemText(message, true) : contentText(content) }]
  }
}

function resultTexts(content: unknown): string[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content)
  return blocks.map(({ type, text }) => (type === "text" ? readableResult(textIn(text)) : ""))
}

/** What a program added to a prompt, or said in the place of one. Empty where that is only the prompt in tags. */
function addedTo(typed: string, said: string): string {
  const added = said.replace(typed, () => "").trim()
  const words = added.replaceAll(/<[^<>]*>/g, " ").split(/\s+/)
  // The name of a command is in its tags without the slash.
  const known = new Set(["", ...typed.split(/\s+/).flatMap((word) => [word, word.replace(/^\//, "")])])
  return words.every((word) => known.has(word)) ? "" : added
}

/** Blocks whose texts are found as what they are, or that have none. */
const OWN_TEXTS: ReadonlySet<unknown> = new Set(["text", "thinking", "redactedThinking", "toolCall", "image"])
/** What is encrypted or a file: no person looks for it. */
const SEALED = /^\S{256,}$/

/** The texts of other blocks: documents, and what a provider searched and ran by itself. */
function otherTexts(content: unknown): string[] {
  return objectsIn(content).flatMap((block) => {
    if (OWN_TEXTS.has(block.type)) return []
    const document = documentIn(block)
    if (document) return [document.name, document.url, document.text].map(textIn)
    const { type: _, ...fields } = block
    return leavesOf(fields).filter((text) => !SEALED.test(text))
  })
}

function replyText({ content, errorMessage }: JsonObject): EntryText {
  return { role: "assistant", text: linesOf([contentText(content), ...otherTexts(content), errorMessage]) }
}

function answerTexts(message: JsonObject): EntryText[] {
  const { content, provider, model } = message
  const name = reportedModel(provider, model)
  const by = name === undefined ? {} : { model: name }
  const blocks = objectsIn(content)
  const thinking = blocks.filter(({ type }) => type === "thinking").map((block) => block.thinking)
  const calls = blocks.filter(({ type }) => type === "toolCall")
  return [
    { ...replyText(message), ...by },
    { role: "thinking", text: linesOf(thinking), ...by },
    ...calls.map(({ name, arguments: args }): EntryText => {
      return { role: "toolCall", text: linesOf([name, ...leavesOf(args)]), ...by, ...toolOf(name) }
    }),
  ]
}

/** What the user ran, and what it printed. */
function runTexts(tool: string, input: unknown, output: unknown): EntryText[] {
  return [
    { role: "toolCall", text: textIn(input), tool },
    { role: "toolResult", text: textIn(output), tool },
  ]
}

function toolOf(name: unknown): { tool?: string } {
  return typeof name === "string" && name !== "" ? { tool: name } : {}
}

/** The texts and numbers in a value, such as the arguments of a call, at any depth, in their order. */
function leavesOf(args: unknown): string[] {
  const leaves: string[] = []
  const left = [args]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === "string" || typeof value === "number") leaves.push(String(value))
    else if (typeof value === "object" && value !== null)
      for (const inner of Object.values(value).reverse()) left.push(inner)
  }
  return leaves
}

function linesOf(parts: readonly unknown[]): string {
  return parts
    .map(textIn)
    .filter((text) => text !== "")
    .join("\n")
}
