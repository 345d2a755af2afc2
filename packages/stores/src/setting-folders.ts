import { existsSync } from "node:fs"
import { join } from "node:path"
import { parsedJson } from "@treelog/session-core/json"
import { placesOf } from "@treelog-internal/fs"
import type { Look } from "./look.js"

/** A text, or a comment; texts that are not closed end with the file. */
const TEXT_OR_COMMENT = /"[^"\\]*(?:\\.[^"\\]*)*"?|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g

/**
 * The folders that settings of VS Code name for an extension: those of the user, of each profile, of the machine that others work on, and of
 * each folder or workspace that a window has opened.
 * @param user the folder of the user
 * @param names of settings, such as `roo-cline.customStoragePath`
 * @returns absolute paths, each once @throws StorageError where settings are there and cannot be read
 */
export function settingFolders(look: Look, user: string, names: readonly string[]): string[] {
  const folders = [user, ...look.pathsIn(join(user, "profiles")), join(user, "..", "Machine")]
  const files = [...folders.map((folder) => join(folder, "settings.json")), ...workspaceSettings(look, user)]
  // To the extension, a relative path is none either.
  return [
    ...new Set(
      valuesIn(look, files, names)
        .flatMap(localFolders)
        .map((folder) => join(folder)),
    ),
  ]
}

/** The values of settings that are texts. @throws StorageError where settings are there and cannot be read */
export function valuesIn(look: Look, files: readonly string[], names: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = look.textIn(file) ?? ""
    return names.flatMap((name) => valueIn(text, name) ?? [])
  })
}

/** The files with settings of what windows have opened: of a folder, or the file of a workspace. */
function workspaceSettings(look: Look, user: string): string[] {
  const files = look.pathsIn(join(user, "workspaceStorage")).flatMap((folder) => {
    const text = look.textIn(join(folder, "workspace.json")) ?? ""
    const [opened, workspace] = [valueIn(text, "folder"), valueIn(text, "workspace") ?? valueIn(text, "configuration")]
    return workspace === undefined
      ? localFolders(opened).map((path) => join(path, ".vscode", "settings.json"))
      : localFolders(workspace)
  })
  return [...new Set(files)]
}

/** Where a folder or file of any spelling is on this machine; nothing of one that is not absolute. */
function localFolders(path = ""): string[] {
  const places = placesOf(path)
  return places.length > 1 ? [places.find((each) => existsSync(each)) ?? path] : places
}

/** The value of a setting that is a text. Settings may have comments and faults, which VS Code ignores. */
function valueIn(settings: string, name: string): string | undefined {
  if (!settings.includes(name)) return undefined
  const text = settings.replace(TEXT_OR_COMMENT, (part) => (part.startsWith('"') ? part : ""))
  const setting = new RegExp(`"${name.replaceAll(".", "\\.")}"\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.)*")`, "g")
  const value = [...text.matchAll(setting)].at(-1)?.[1]
  return value === undefined ? undefined : (parsedJson(value) as string | undefined)
}
