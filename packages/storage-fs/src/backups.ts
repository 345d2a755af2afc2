import {
  type FsPort,
  fileChunks,
  identityOf,
  isErrno,
  isWithoutLinks,
  lstatIfThere,
  placeNew,
  placeNewSync,
  readWholeSync,
  renameNew,
  sessionNotFound,
} from "@treelog-internal/fs"
import { besideName } from "./session-name.js"
import { type NewFile, tempName, writeTemp, writeTempSync } from "./temp-file.js"

/** Gives the stored bytes a second name: the path with the suffix, and a number where that is taken. Resolves to it. */
export async function keepBackup(file: NewFile, identity: string, suffix: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = besideName(file.path, suffix, number)
    if ((await linked(file, name)) || (await isSame(file, name, identity))) return name
  }
}

/** The same without promises. */
export function keepBackupSync(file: NewFile, identity: string, suffix: string): string {
  const { fs } = file
  for (let number = 1; ; number++) {
    const name = besideName(file.path, suffix, number)
    const found = fs.lstatSync(name)
    if (found === undefined ? linkedSync(file, name) : identityOf(found) === identity) return name
  }
}

function linkedSync(file: NewFile, name: string): boolean {
  try {
    file.fs.linkSync(file.path, name)
    return true
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false
    if (!isWithoutLinks(error)) throw error
    return copiedSync(file, name)
  }
}

function copiedSync({ fs, path, token, temporaryFiles }: NewFile, name: string): boolean {
  const temp = tempName(path, `${token}.old`)
  const source = fs.openSync(path)
  try {
    const bytes = new Uint8Array(Number(source.statSync({ bigint: true }).size))
    writeTempSync(fs, temp, [bytes.subarray(0, readWholeSync(source, bytes, 0))], { unlike: new Set() })
    return placeNewSync(fs, temp, name)
  } finally {
    source.closeSync()
    temporaryFiles.discardSync(temp)
  }
}

/** False when the name is taken. */
async function linked(file: NewFile, name: string): Promise<boolean> {
  try {
    await file.fs.link(file.path, name)
    return true
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false
    if (!isWithoutLinks(error)) throw error
    return copied(file, name)
  }
}

async function copied({ fs, path, token, temporaryFiles }: NewFile, name: string): Promise<boolean> {
  const temp = tempName(path, `${token}.old`)
  try {
    await writeTemp(fs, temp, fileChunks(fs, path), { unlike: new Set() })
    return await placeNew(fs, temp, name)
  } finally {
    await temporaryFiles.discard(temp)
  }
}

/** An earlier attempt, or a crashed one, gave the name to the very file that is to be kept. */
async function isSame({ fs }: NewFile, name: string, identity: string): Promise<boolean> {
  try {
    return identityOf(await fs.lstat(name, { bigint: true })) === identity
  } catch (error) {
    // The file with that name is gone again: the next number is free as well.
    if (isErrno(error, "ENOENT")) return false
    throw error
  }
}

/**
 * Renames the file to its path with the suffix, and a number where that is taken. Resolves to the name.
 * @throws SessionNotFoundError
 */
export async function quarantine(fs: FsPort, path: string, suffix: string): Promise<string> {
  if ((await lstatIfThere(fs, path)) === undefined) throw sessionNotFound(path)
  for (let number = 1; ; number++) {
    const name = besideName(path, suffix, number)
    if (await renameNew(fs, path, name)) return name
  }
}
