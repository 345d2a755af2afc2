import { dirname, join } from "node:path"
import { type FsPort, fileChunks, lstatIfThere, makeFolder, placeNew, syncFolder } from "@treelog-internal/fs"
import { isFolder } from "./artifacts.js"
import { artifactsFolder } from "./session-name.js"
import { type NewFile, tempName, writeTemp } from "./temp-file.js"

// Crash argument. A file is whole and on the disk under a temporary name of the lease, beside the session, before it gets its own by a call
// that fails where that is taken. After a crash the next holder of the lease removes the temporary file, and the next call adds the rest.

/** How the artifacts of another session compare with those of a session. */
export interface ComparedArtifacts {
  /** Paths in the folder, of files and links that the session does not have. */
  readonly missing: readonly string[]
  /** How many it has with other bytes, or as something else. */
  readonly differing: number
}

/** Compares the artifacts of `from` with those of `key`. */
export async function compareArtifacts(fs: FsPort, key: string, from: string): Promise<ComparedArtifacts> {
  const [source, target] = [artifactsFolder(from), artifactsFolder(key)]
  const missing: string[] = []
  let differing = 0
  const visit = async (folder: string): Promise<void> => {
    const place = join(target ?? "", folder)
    // Behind a link are the files of somebody else.
    if ((await lstatIfThere(fs, place)) && !(await isFolder(fs, place))) {
      differing += 1
      return
    }
    for (const entry of await fs.readdir(join(source ?? "", folder))) {
      const name = join(folder, entry.name)
      if (entry.isDirectory()) await visit(name)
      else if (!entry.isFile() && !entry.isSymbolicLink()) continue
      else if (!(await lstatIfThere(fs, join(target ?? "", name)))) missing.push(name)
      else if (!(await isSame(fs, join(source ?? "", name), join(target ?? "", name)))) differing += 1
    }
  }
  if (source !== undefined && target !== undefined && (await isFolder(fs, source))) await visit("")
  return { missing, differing }
}

/** Copies these artifacts of another session, durably, and never over one that is there. */
export async function addArtifacts(file: NewFile, from: string, names: readonly string[]): Promise<void> {
  const { fs, path, token, temporaryFiles } = file
  const [source, target] = [artifactsFolder(from), artifactsFolder(path)]
  if (source === undefined || target === undefined) return
  const temp = tempName(path, token)
  const folders = new Set<string>()
  for (const name of names) {
    const [own, other] = [join(target, name), join(source, name)]
    for (const folder of [...makeFolder(fs, dirname(own)), dirname(own)]) folders.add(folder)
    if ((await lstatIfThere(fs, other))?.isSymbolicLink()) {
      await fs.symlink(await fs.readlink(other), own)
      continue
    }
    try {
      await writeTemp(fs, temp, fileChunks(fs, other), { unlike: new Set() })
      placeNew(fs, temp, own)
    } finally {
      temporaryFiles.discard(temp)
    }
  }
  for (const folder of folders) await syncFolder(fs, folder)
}

async function isSame(fs: FsPort, one: string, other: string): Promise<boolean> {
  const [a, b] = [await lstatIfThere(fs, one), await lstatIfThere(fs, other)]
  if (a?.isSymbolicLink() && b?.isSymbolicLink()) return (await fs.readlink(one)) === (await fs.readlink(other))
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size) return false
  const others = fileChunks(fs, other)
  try {
    for await (const chunk of fileChunks(fs, one)) {
      const { value } = await others.next()
      if (!value || Buffer.compare(chunk, value) !== 0) return false
    }
    return true
  } finally {
    await others.return(undefined)
  }
}
