import { TreelogError } from "@treelog/session-core"
import { isWholePath, type ListFilter, type SessionPlace, type StoredName } from "@treelog/session-core/adapter"

// A key is `pg:`, the working directory, or `@` and the project, then a slash and the session id.

const SCHEME = "pg:"
const PROJECT_SCHEME = "pg:@"

/** A project's sessions are in one folder, whatever machine they are from. One that is a folder is of one machine: its sessions are in their own. */
export function keyOf({ cwd, project, id }: Pick<SessionPlace, "cwd" | "project" | "id">): string {
  const isShared = project !== undefined && !isWholePath(project)
  return assertText(`${isShared ? PROJECT_SCHEME + project : SCHEME + cwd}/${id}`)
}

/** The folders that contain sessions that match, by their names; undefined for all. */
export function namedFolders({ cwd, project }: Pick<ListFilter, "cwd" | "project">): readonly string[] | undefined {
  // Sessions of a project may also be stored by their working directory, from before it had a name.
  const folders = [
    ...(project === undefined ? [] : [PROJECT_SCHEME + project]),
    ...(cwd === undefined ? [] : [SCHEME + cwd]),
  ]
  return folders.length === 0 ? undefined : folders
}

/** The working directory of the sessions in a folder; undefined for the folder of a project. */
export function cwdOfFolder(folder: string): string | undefined {
  return folder.startsWith(PROJECT_SCHEME) ? undefined : folder.slice(SCHEME.length)
}

/** What the key says of a session. */
export function nameOf(key: string): StoredName {
  const folder = folderOfKey(key)
  const isProject = folder.startsWith(PROJECT_SCHEME)
  return { key, id: idOfKey(key), ...(isProject && { project: folder.slice(PROJECT_SCHEME.length) }) }
}

export function isKey(text: string): boolean {
  return text.startsWith(SCHEME)
}

export function folderOfKey(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf("/")))
}

export function idOfKey(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1)
}

const LONE_SURROGATE_OR_NUL = /\p{Cs}|\0/u

/** Whether PostgreSQL can store the text. */
export function isText(text: string): boolean {
  return !LONE_SURROGATE_OR_NUL.test(text)
}

/** Returns the text if PostgreSQL can store it. @throws InvalidArgumentError */
export function assertText(text: string): string {
  if (isText(text)) return text
  const message = "A key in PostgreSQL cannot contain NUL or half of a surrogate pair."
  throw new TreelogError("InvalidArgumentError", message, { argument: "key", value: text })
}
