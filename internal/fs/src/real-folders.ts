import { realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { folderName, isOfWindows, plainPath } from "@treelog/session-core/adapter"
import { ifAllowed } from "./storage-error.js"

/** No file system has a longer path; sessions from elsewhere may name one. */
const LONGEST_PATH = 4096

/** Where a folder is on this machine, or would be. */
export interface RealFolder {
  /** Without links: those of its path that are there. An absolute path. */
  readonly path: string
  readonly isThere: boolean
}

/** Finds folders by any spelling, and their real paths. Asks the disk for each once. */
export class RealFolders {
  readonly #platform: NodeJS.Platform
  readonly #known = new Map<string, RealFolder>()

  constructor(platform: NodeJS.Platform = process.platform) {
    this.#platform = platform
  }

  /** Undefined for a folder that this machine cannot have, and for a relative path. */
  find(cwd: string): RealFolder | undefined {
    const [first, ...others] = placesOf(cwd, this.#platform).map((path) => this.#real(path))
    return first?.isThere ? first : (others.find(({ isThere }) => isThere) ?? first)
  }

  /** The name of a folder: that of its real path; of a folder of another machine, what its spelling means. */
  nameOf(cwd: string): string {
    return folderName(this.find(cwd)?.path ?? cwd)
  }

  #real(path: string): RealFolder {
    const real = this.#known.get(path) ?? this.#resolved(path)
    this.#known.set(path, real)
    return real
  }

  #resolved(path: string): RealFolder {
    const real = ifAllowed(() => realpathSync.native(path))
    if (real !== undefined) return { path: real, isThere: true }
    const parent = dirname(path)
    return { path: parent === path ? path : join(this.#real(parent).path, basename(path)), isThere: false }
  }
}

/** The paths of this machine that a folder may have: as it is spelled, and by what that means. */
export function placesOf(cwd: string, platform: NodeJS.Platform = process.platform): string[] {
  if (cwd.length > LONGEST_PATH || cwd.includes("\0")) return []
  const plain = plainPath(cwd)
  if (platform === "win32") return isOfWindows(plain) ? [resolve(plain)] : []
  const [, drive, below = ""] = /^([A-Z]):\/(.*)$/.exec(plain) ?? []
  const meant = drive === undefined ? plain : join("/mnt", drive.toLowerCase(), below)
  const paths = [cwd, meant].filter((path) => isAbsolute(path) && !path.startsWith("//"))
  return [...new Set(paths.map((path) => resolve(path)))]
}
