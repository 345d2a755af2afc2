import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type FolderEntry, type FsPort, ifThere, nodeFs, textIfThere } from "@treelog-internal/fs"
import { type KeptStore, keptStores } from "./kept/kept-stores.js"
import type { Surroundings } from "./surroundings.js"
import { type WindowsSide, windowsSides } from "./windows-side.js"

/** One look at a machine for stores: what several agents ask for is read once. What changes is seen by the next look. */
export class Look {
  readonly surroundings: Surroundings
  /** The file system of Node, but each folder is listed once. */
  readonly fs: FsPort
  readonly #texts = new Map<string, string | undefined>()
  readonly #paths = new Map<string, string[]>()
  #sides: SideLook[] | undefined
  #kept: KeptStore[] | undefined

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
    const listed = new Map<string, Promise<FolderEntry[]>>()
    this.fs = { ...nodeFs, readdir: async (path) => [...(await once(listed, path, nodeFs.readdir))] }
  }

  /** The sides of Windows in WSL. @throws StorageError */
  get sides(): readonly SideLook[] {
    this.#sides ??= windowsSides(this.surroundings).map((side) => ({ ...side, look: new Look(side.surroundings) }))
    return this.#sides
  }

  /** The copies of all stores. @throws StorageError */
  get kept(): readonly KeptStore[] {
    this.#kept ??= keptStores(this.surroundings)
    return this.#kept
  }

  /** What is in a file; undefined where there is none. @throws StorageError */
  textIn(path: string): string | undefined {
    return once(this.#texts, path, textIfThere)
  }

  /** The paths of what is in a folder, in order; nothing where there is none. @throws StorageError */
  pathsIn(folder: string): string[] {
    return once(this.#paths, folder, () =>
      (ifThere(folder, (path) => readdirSync(path)) ?? []).sort().map((name) => join(folder, name)),
    )
  }
}

/** A side of Windows, and the look at it. */
interface SideLook extends WindowsSide {
  readonly look: Look
}

function once<Answer>(answers: Map<string, Answer>, path: string, ask: (path: string) => Answer): Answer {
  if (!answers.has(path)) answers.set(path, ask(path))
  return answers.get(path) as Answer
}
