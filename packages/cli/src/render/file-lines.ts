import type { FileLists } from "@treelog/session-core"
import type { Style } from "@treelog-internal/text"
import { cleanLine } from "@treelog-internal/text"

/** The files of a conversation, a line each, under what was done with them: what was read and modified, too, was modified. */
export function* fileLines({ readFiles, modifiedFiles }: FileLists, { paint }: Style): Generator<string> {
  for (const [title, files] of [
    ["modified", modifiedFiles],
    ["only read", readFiles],
  ] as const) {
    if (files.length === 0) continue
    yield ""
    yield paint("dim", title)
    for (const file of files) yield `  ${cleanLine(file)}`
  }
}
