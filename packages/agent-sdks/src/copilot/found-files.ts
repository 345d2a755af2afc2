import { lastPart } from "../objects/object-name.js"
import type { StoredObject } from "../objects/object-store.js"
import type { CopilotDirectoryEntry, CopilotFileInfo } from "./copilot-types.js"
import { within } from "./file-path.js"

export type FoundFiles = ReturnType<typeof foundFiles>

/** What is stored under a path: a file, or a directory and all that is below it; nothing if `objects` is empty. */
export function foundFiles(path: string, objects: readonly StoredObject[]) {
  // The root exists without objects.
  const exists = path === "/" || objects.length > 0
  const isFile = objects.some((object) => object.kind === "file" && lastPart(object.name) === path)
  const isDirectory = exists && !isFile
  return {
    ...{ path, objects, exists, isFile, isDirectory },
    /** Whether something is in the directory. */
    hasEntries: objects.some(({ name }) => lastPart(name) !== path),

    info(): CopilotFileInfo {
      const [first] = objects
      const iso = (time: number) => new Date(time).toISOString()
      return {
        isFile,
        isDirectory,
        size: isFile && first ? first.stat.size - first.start : 0,
        mtime: iso(objects.reduce((latest, { stat }) => Math.max(latest, stat.modified), 0)),
        birthtime: iso(objects.reduce((earliest, { created }) => Math.min(earliest, created), first?.created ?? 0)),
      }
    },

    /** The names in the directory, sorted. */
    entries(): CopilotDirectoryEntry[] {
      const types = new Map<string, CopilotDirectoryEntry["type"]>()
      for (const { name, kind } of objects) {
        const below = lastPart(name)
        if (below === path) continue
        const [first = "", ...rest] = below.slice(within(path).length).split("/")
        if (types.get(first) !== "directory") types.set(first, rest.length > 0 ? "directory" : kind)
      }
      return [...types].map(([name, type]) => ({ name, type })).sort((a, b) => (a.name < b.name ? -1 : 1))
    },
  }
}
