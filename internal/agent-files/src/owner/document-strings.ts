import { TreelogError } from "@treelog/session-core"
import { jsonItems, jsonMembers } from "@treelog/session-core/adapter"
import { isObject } from "../json.js"
import { wholeFile } from "../whole-file.js"
import type { DocumentChange, Edit, Member } from "./change.js"

/** A string in a JSON document, and where its bytes are. */
interface FoundString {
  readonly text: string
  /** Of a member, which an object cannot have twice. */
  readonly isName: boolean
  readonly from: number
  readonly to: number
}

/** The strings at members of a JSON document, in their order in it. @throws SyntaxError where it is none */
function stringsAt(document: Uint8Array, members: readonly Member[]): FoundString[] {
  const text = new TextDecoder().decode(document)
  if (!isObject(JSON.parse(text))) throw new SyntaxError("a file that is no JSON object")
  const found = members.flatMap((member) =>
    [...piecesAt(document, member)].map((piece): FoundString => {
      const from = piece.byteOffset - document.byteOffset
      const isName = member.at(-1) === "{}"
      return { text: JSON.parse(new TextDecoder().decode(piece)), isName, from, to: from + piece.length }
    }),
  )
  return found.sort((a, b) => a.from - b.from)
}

const [QUOTE, BRACE, BRACKET] = [0x22, 0x7b, 0x5b]

function* piecesAt(value: Uint8Array, [name, ...rest]: Member): Generator<Uint8Array> {
  if (name === undefined) {
    if (value[0] === QUOTE) yield value
  } else if (name === "*") {
    if (value[0] === BRACKET) for (const item of jsonItems(value)) yield* piecesAt(item, rest)
  } else if (value.find((byte) => byte > 0x20) === BRACE)
    for (const { key, keyBytes, valueBytes } of jsonMembers(value)) {
      if (name === "{}") yield keyBytes
      else if (key === name) yield* piecesAt(valueBytes, rest)
    }
}

/** Replaces strings of a JSON document; all other bytes stay. @throws InvalidSessionError where it is none */
export function replacedStrings({ at, strings }: Pick<DocumentChange, "at" | "strings">): Edit {
  return function* (fs, path) {
    const { bytes } = wholeFile(fs, path)
    let written = 0
    const found = stringsIn(path, bytes, at)
    const names = new Set(found.flatMap(({ text, isName }) => (isName ? [text] : [])))
    for (const { text, isName, from, to } of found) {
      const next = Object.hasOwn(strings, text) ? strings[text] : undefined
      // What stands under the new name already stays, beside what stands under the former one.
      if (next === undefined || (isName && names.has(next))) continue
      yield bytes.subarray(written, from)
      yield new TextEncoder().encode(JSON.stringify(next))
      written = to
    }
    yield bytes.subarray(written)
  }
}

function stringsIn(path: string, bytes: Uint8Array, at: readonly Member[]): FoundString[] {
  try {
    return stringsAt(bytes, at)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const found = "a file that is no JSON object"
    const message = `${path} is not changed: it is ${found}.`
    throw new TreelogError("InvalidSessionError", message, { key: path, found, isDamaged: true }, { cause: error })
  }
}
