import { TreelogError } from "@treelog/session-core"
import { parsedObject } from "../json.js"
import { wholeFile } from "../whole-file.js"
import type { DocumentChange, Edit, Member } from "./change.js"

const utf8 = new TextEncoder()

/** A string in a JSON document, and where it stands there, with its quotes. */
interface FoundString {
  readonly text: string
  /** Of a member, which an object cannot have twice. */
  readonly isName: boolean
  readonly from: number
  readonly to: number
}

/** The strings and the marks of a valid JSON document. A string is not matched as a whole: it can be too long for a regular expression. */
function* tokensOf(document: string): Generator<{ readonly token: string; readonly from: number }> {
  const starts = /["{}[\],]/g
  for (let found = starts.exec(document); found; found = starts.exec(document)) {
    const { index: from } = found
    if (found[0] === '"') starts.lastIndex = endOfString(document, from)
    yield { token: document.slice(from, starts.lastIndex), from }
  }
}

/** @param from of its first quote */
function endOfString(document: string, from: number): number {
  for (let end = document.indexOf('"', from + 1); ; end = document.indexOf('"', end + 1)) {
    let escapes = 0
    while (document.charAt(end - 1 - escapes) === "\\") escapes += 1
    if (escapes % 2 === 0) return end + 1
  }
}

/** The strings at members of a JSON document that is an object. */
function* stringsAt(document: string, members: readonly Member[]): Generator<FoundString> {
  const way: string[] = []
  const areLists: boolean[] = []
  let isName = false
  for (const { token, from } of tokensOf(document)) {
    if (token === "{" || token === "[") {
      isName = token === "{"
      areLists.push(!isName)
      way.push(isName ? "{}" : "*")
    } else if (token === "}" || token === "]") {
      isName = false
      areLists.pop()
      way.pop()
    } else if (token === ",") {
      isName = areLists.at(-1) === false
      if (isName) way.splice(-1, 1, "{}")
    } else {
      const text: string = JSON.parse(token)
      if (members.some((member) => member.length === way.length && member.every((name, at) => name === way[at])))
        yield { text, isName, from, to: from + token.length }
      if (isName) way.splice(-1, 1, text)
      isName = false
    }
  }
}

/** Replaces strings of a JSON document; all other bytes stay. @throws InvalidSessionError where it is none */
export function replacedStrings({ at, strings }: Pick<DocumentChange, "at" | "strings">): Edit {
  return function* (fs, path) {
    const document = documentIn(path, wholeFile(fs, path).bytes)
    let written = 0
    const found = [...stringsAt(document, at)]
    const names = new Set(found.flatMap(({ text, isName }) => (isName ? [text] : [])))
    for (const { text, isName, from, to } of found) {
      const next = Object.hasOwn(strings, text) ? strings[text] : undefined
      // What stands under the new name already stays, beside what stands under the former one.
      if (next === undefined || (isName && names.has(next))) continue
      yield utf8.encode(document.slice(written, from) + JSON.stringify(next))
      written = to
    }
    yield utf8.encode(document.slice(written))
  }
}

function documentIn(path: string, bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  // What is not UTF-8 would be written otherwise.
  if (parsedObject(text) && utf8.encode(text).length === bytes.length) return text
  const found = "a file that is no JSON object"
  const message = `${path} is not changed: it is ${found}.`
  throw new TreelogError("InvalidSessionError", message, { key: path, found, isDamaged: true })
}
