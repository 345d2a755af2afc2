import { joinPath, linesOf, pathBelow, spliceLine } from "@treelog/session-core/adapter"
import { isObject, type Json } from "../json.js"
import { recordsIn } from "../records-in-line.js"
import { wholeFile } from "../whole-file.js"
import type { Edit, Member } from "./change.js"

/** The two folders of a move. Absolute paths. */
export interface Folders {
  readonly from: string
  readonly to: string
}

/** Where a path is after the move; undefined for one outside: `/a/foobar` is not in `/a/foo`. */
export function movedPath({ from, to }: Folders, path: unknown): string | undefined {
  const below = typeof path === "string" ? pathBelow(from, path) : undefined
  return below === undefined ? undefined : joinPath(to, below)
}

/** The record with the moved paths in its members; itself where none of them moves. */
export function withMovedPaths(record: Json, members: readonly Member[], folders: Folders): Json {
  return members.reduce<Json>((changed, member) => movedIn(changed, member, folders) as Json, record)
}

function movedIn(value: unknown, [name, ...rest]: Member, folders: Folders): unknown {
  if (name === undefined) return movedPath(folders, value) ?? value
  if (name === "*" && Array.isArray(value)) {
    const items = value.map((item) => movedIn(item, rest, folders))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  if (!isObject(value) || !Object.hasOwn(value, name)) return value
  const moved = movedIn(value[name], rest, folders)
  return moved === value[name] ? value : { ...value, [name]: moved }
}

/** Moves the paths in members of the records of a file with one in each line. All other values keep their bytes. */
export function movedInLines(members: readonly Member[], folders: Folders): Edit {
  return changedLines((record) => withMovedPaths(record, members, folders))
}

/** Changes records of a file with one in each line; what is no whole record stays. @param change returns the same object where nothing changes */
export function changedLines(change: (record: Json) => Json): Edit {
  return function* (fs, path) {
    const { bytes } = wholeFile(fs, path)
    let written = 0
    for (const line of linesOf(bytes)) {
      const [only, ...others] = recordsIn(line)
      if (!only || others.length > 0 || !("value" in only)) continue
      const changed = change(only.value)
      if (changed === only.value) continue
      yield bytes.subarray(written, line.offset)
      yield spliceLine(line.bytes, only.value as Spliced, changed as Spliced)
      written = line.offset + line.bytes.length
    }
    yield bytes.subarray(written)
  }
}

type Spliced = Parameters<typeof spliceLine>[1]
