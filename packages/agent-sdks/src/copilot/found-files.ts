import { lastPart } from "../objects/object-name.js"
import type { StoredObject } from "../objects/object-store.js"
import type { CopilotDirectoryEntry, CopilotFileInfo } from "./copilot-types.js"
import { within } from "./file-path.js"

/** What is stored under a path: a file, or a directory and all that is below it; nothing if `objects` is empty. */
export class FoundFiles {
  readonly path: string
  readonly objects: readonly StoredObject[]

  constructor(path: string, objects: readonly StoredObject[]) {
    this.path = path
    this.objects = objects
  }

  /** The root exists without objects. */
  get exists(): boolean {
    return this.path === "/" || this.objects.length > 0
  }

  get isFile(): boolean {
    return this.objects.some((object) => object.kind === "file" && lastPart(object.name) === this.path)
  }

  get isDirectory(): boolean {
    return this.exists && !this.isFile
  }

  /** Whether something is in the directory. */
  get hasEntries(): boolean {
    return this.objects.some(({ name }) => lastPart(name) !== this.path)
  }

  info(): CopilotFileInfo {
    const [first] = this.objects
    const iso = (time: number) => new Date(time).toISOString()
    const { isFile, isDirectory } = this
    return {
      isFile,
      isDirectory,
      size: isFile && first ? first.stat.size - first.start : 0,
      mtime: iso(this.objects.reduce((latest, { stat }) => Math.max(latest, stat.modified), 0)),
      birthtime: iso(this.objects.reduce((earliest, { created }) => Math.min(earliest, created), first?.created ?? 0)),
    }
  }

  /** The names in the directory, sorted. */
  entries(): CopilotDirectoryEntry[] {
    const types = new Map<string, CopilotDirectoryEntry["type"]>()
    for (const { name, kind } of this.objects) {
      const path = lastPart(name)
      if (path === this.path) continue
      const [first = "", ...rest] = path.slice(within(this.path).length).split("/")
      if (types.get(first) !== "directory") types.set(first, rest.length > 0 ? "directory" : kind)
    }
    return [...types].map(([name, type]) => ({ name, type })).sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}
