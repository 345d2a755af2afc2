import { isJsonObject, type JsonObject } from "../../../entry/json-object.js"
import { isDeeperThan } from "../../../entry/json-text.js"
import { valueText } from "../../../entry/value-text.js"
import { imageNote, whyUnreadable } from "../image.js"
import { isFilled } from "../is-filled.js"
import type { MessagePart } from "../message-part.js"
import { isWellFormed, wellFormed, wellFormedValue } from "../well-formed.js"
import type { Note } from "./context-change.js"
import type { RepairOptions } from "./repair-options.js"

/** Arguments nested more deeply are not sent: formatting them could overflow the stack. Levels. */
const MAX_ARGUMENT_DEPTH = 500

/** The block as providers accept it in this role: the same one, a repaired copy, or undefined when it must be removed. */
export function repairBlock(found: unknown, part: MessagePart, note: Note, options: RepairOptions): unknown {
  if (!isJsonObject(found)) return removed(note, "a block that is no object")
  const block = withSoundSignatures(found, note)
  if (block.type === "text")
    return isFilled(block.text) ? withTexts(block, ["text"], note) : removed(note, "an empty text")
  if (block.type === "image") return repairImage(block, part, note, options)
  if (part === "assistant") {
    if (block.type === "thinking") return repairThinking(block, note)
    if (block.type === "redactedThinking" && isFilled(block.data) && isWellFormed(block.data)) return block
    if (block.type === "toolCall") return repairCall(block, note)
  }
  return removed(note, `a block of type ${valueText(block.type)}`)
}

export function isThinking(block: unknown): boolean {
  return isJsonObject(block) && (block.type === "thinking" || block.type === "redactedThinking")
}

const SIGNATURES = ["thinkingSignature", "textSignature", "thoughtSignature"]

/** Removes signatures that cannot be sent: they cannot be repaired. */
function withSoundSignatures(block: JsonObject, note: Note): JsonObject {
  const broken = SIGNATURES.filter((name) => !isSound(block[name]))
  if (broken.length === 0) return block
  note("text-replaced", `It had a broken ${broken.join(" and ")}, which was removed.`)
  return Object.fromEntries(Object.entries(block).filter(([name]) => !broken.includes(name)))
}

function isSound(signature: unknown): boolean {
  return signature === undefined || signature === null || (typeof signature === "string" && isWellFormed(signature))
}

function repairImage(block: JsonObject, part: MessagePart, note: Note, { images = true }: RepairOptions): JsonObject {
  const isMisplaced = part !== "user" && part !== "result"
  const misplaced = isMisplaced ? "images can stand only in messages of the user and in results" : undefined
  const reason = images ? (misplaced ?? whyUnreadable(block)) : "the model reads no images"
  if (reason === undefined) return block
  note("image-noted", `An image became a note: ${reason}.`)
  return { type: "text", text: imageNote(reason) }
}

/** Signed thinking may be empty: providers need only its signature. */
function repairThinking(block: JsonObject, note: Note): JsonObject | undefined {
  const isSigned = isFilled(block.thinkingSignature)
  if (!isSigned && !isFilled(block.thinking)) return removed(note, "empty thinking")
  if (typeof block.thinking !== "string") {
    note("content-changed", "Thinking without text got an empty one.")
    return { ...block, thinking: "" }
  }
  const repaired = withTexts(block, ["thinking"], note)
  if (repaired === block) return block
  // The signature covers the original text.
  const { thinkingSignature: _, ...unsigned } = repaired
  return unsigned
}

function repairCall(block: JsonObject, note: Note): JsonObject | undefined {
  if (!isFilled(block.id)) return removed(note, "a tool call without id")
  if (!isFilled(block.name)) return removed(note, "a tool call without a tool's name")
  const named = withTexts(block, ["id", "name"], note)
  const { arguments: args } = named
  if (!isJsonObject(args) || isDeeperThan(args, MAX_ARGUMENT_DEPTH)) {
    const what = isJsonObject(args) ? "nested too deeply" : valueText(args)
    note("arguments-replaced", `The arguments of call ${named.id} were ${what}; it has none now.`)
    return { ...named, arguments: {} }
  }
  const formed = wellFormedValue(args)
  if (formed === args) return named
  note("text-replaced", `Lone surrogates in the arguments of call ${named.id} were replaced.`)
  return { ...named, arguments: formed }
}

/** The object with well-formed texts; the same object if they are well-formed. */
export function withTexts<Fields extends object>(value: Fields, names: readonly string[], note: Note): Fields {
  let result = value as Fields & JsonObject
  for (const name of names) {
    const text = result[name]
    if (typeof text !== "string" || wellFormed(text) === text) continue
    result = { ...result, [name]: wellFormed(text) }
    note("text-replaced", `Lone surrogates in ${name} were replaced.`)
  }
  return result
}

function removed(note: Note, what: string): undefined {
  note("block-removed", `It held ${what}, which was removed.`)
  return undefined
}
