import { createHash } from "node:crypto"
import { basename, join, resolve } from "node:path"
import { type Json, objectIn, parsedObject } from "@treelog-internal/agent-files"
import { entriesIn, type FsPort, isThere, textIfThere, writeOnce } from "@treelog-internal/agent-files/write"

/** In the folder of a project: the path of the project. Gemini CLI finds the folder by it also where `projects.json` does not name it. */
const OWNER = ".project_root"

/**
 * The folder of a project in Gemini CLI's folder, as Gemini CLI finds it, or would name it.
 * @throws StorageError
 */
export async function projectFolder(fs: FsPort, folder: string, cwd: string): Promise<string> {
  const root = ownerName(cwd)
  const named =
    objectIn(parsedObject((await textIfThere(fs, join(folder, "projects.json"))) ?? "") ?? {}, "projects") ?? {}
  const owners = await ownersIn(fs, folder)
  const known = named[root]
  if (typeof known === "string" && (owners.get(known) ?? root) === root) return join(folder, "tmp", known)
  const [owned] = [...owners].find(([, owner]) => owner === root) ?? []
  if (owned !== undefined) return join(folder, "tmp", owned)
  // Of older versions, which Gemini CLI takes over when it starts, as long as there is no other.
  const old = join(folder, "tmp", createHash("sha256").update(resolve(cwd)).digest("hex"))
  if (await isThere(fs, old)) return old
  const taken = new Set<unknown>([...Object.values(named as Json), ...owners.keys()])
  const name = slugOf(basename(root))
  let free = name
  for (let count = 1; taken.has(free); count++) free = `${name}-${count}`
  return join(folder, "tmp", free)
}

/** Says whose a folder for a project is, where nothing says so yet. @throws StorageError */
export function claimProject(fs: FsPort, folder: string, cwd: string): Promise<void> {
  return writeOnce(fs, join(folder, OWNER), ownerName(cwd))
}

/** Whose the folders of projects are, by their names. */
async function ownersIn(fs: FsPort, folder: string): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  for (const base of ["history", "tmp"])
    for (const { name } of await entriesIn(fs, join(folder, base))) {
      const owner = await textIfThere(fs, join(folder, base, name, OWNER))
      if (owner !== undefined) owners.set(name, owner.trim() && ownerName(owner.trim()))
    }
  return owners
}

function ownerName(path: string): string {
  return process.platform === "win32" ? resolve(path).toLowerCase() : resolve(path)
}

function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.length > 0 ? words.join("-") : "project"
}
