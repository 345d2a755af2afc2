import { readdirSync, readFileSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { isGone, toStorageError } from "@treelog-internal/fs"

/** A text, or a comment; texts that are not closed end with the file. */
const TEXT_OR_COMMENT = /"(?:[^"\\]|\\.)*"?|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g

/**
 * The folders that settings of VS Code name for an extension: those of the user, of each profile, and of the machine that others work on.
 * @param user the folder of the user
 * @param names of settings, such as `roo-cline.customStoragePath`
 * @returns absolute paths, each once @throws StorageError where settings are there and cannot be read
 */
export function settingFolders(user: string, names: readonly string[]): string[] {
  const profiles = join(user, "profiles")
  const folders = [
    user,
    ...(read(profiles, (path) => readdirSync(path)) ?? []).sort().map((name) => join(profiles, name)),
  ]
  const found = [...folders, join(user, "..", "Machine")].flatMap((folder) => {
    const text = read(join(folder, "settings.json"), (path) => readFileSync(path, "utf8")) ?? ""
    return names.flatMap((name) => valueIn(text, name) ?? [])
  })
  // To the extension, another path is none either.
  return [...new Set(found.filter(isAbsolute).map((folder) => join(folder)))]
}

/** The value of a setting that is a text. Settings may have comments and faults, which VS Code ignores. */
function valueIn(settings: string, name: string): string | undefined {
  if (!settings.includes(name)) return undefined
  const text = settings.replace(TEXT_OR_COMMENT, (part) => (part.startsWith('"') ? part : ""))
  const setting = new RegExp(`"${name.replaceAll(".", "\\.")}"\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.)*")`, "g")
  const value = [...text.matchAll(setting)].at(-1)?.[1]
  try {
    return value === undefined ? undefined : (JSON.parse(value) as string)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function read<Content>(path: string, work: (path: string) => Content): Content | undefined {
  try {
    return work(path)
  } catch (error) {
    if (isGone(error)) return undefined
    throw toStorageError(error, path, "read")
  }
}
