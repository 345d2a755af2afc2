import { Steps } from "@treelog/session-core/adapter"
import { type FsPort, identityOf, isErrno, isWithoutLinks, placeNew, readWholeSync } from "@treelog-internal/fs"
import { besideName } from "../place/session-name.js"
import { makeTemp, type NewFile, tempName } from "./temp-file.js"

/** Read at once. Bytes. */
const BLOCK = 1 << 20

/** Gives the stored bytes a second name: the path with the suffix, and a number where that is taken. Returns it. */
export function keepBackup(file: NewFile, identity: string, suffix: string): string {
  const { fs } = file
  for (let number = 1; ; number++) {
    const name = besideName(file.path, suffix, number)
    if (linked(file, name)) return name
    // An earlier attempt, or a crashed one, gave the name to the very file that is to be kept.
    const found = fs.lstatSync(name)
    if (found && identityOf(found) === identity) return name
  }
}

/** False when the name is taken. */
function linked(file: NewFile, name: string): boolean {
  try {
    file.fs.linkSync(file.path, name)
    return true
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false
    if (!isWithoutLinks(error)) throw error
    return copied(file, name)
  }
}

function copied({ fs, path, token, temporaryFiles }: NewFile, name: string): boolean {
  const temp = tempName(path, `${token}.old`)
  try {
    Steps.runNow(makeTemp(fs, temp, blocksOf(fs, path), { unlike: new Set() })).file.closeSync()
    return placeNew(fs, temp, name)
  } finally {
    temporaryFiles.discard(temp)
  }
}

function* blocksOf(fs: FsPort, path: string): Generator<Uint8Array> {
  const file = fs.openSync(path)
  try {
    const block = new Uint8Array(BLOCK)
    for (let at = 0, length = BLOCK; length === BLOCK; at += length) {
      length = readWholeSync(file, block, at)
      yield block.subarray(0, length)
    }
  } finally {
    file.closeSync()
  }
}
