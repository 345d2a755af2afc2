import { isSameFolder } from "../../entry/folder-name.js"
import { isJsonObject, textIn } from "../../entry/values.js"

/**
 * Names the project of a folder, such as its repository: sessions of other folders with the same project are listed with those of the folder.
 * Undefined for a folder of none: then the meaning of its spelling counts.
 * @param repositoryOf what the session's program noted of the repository of the folder: its main folder, or the address of its remote. Asked
 *   where the folder itself does not say it, as one that is gone: of most sessions of a list it would have to be parsed
 */
export type ProjectOf = (cwd: string, repositoryOf?: () => string | undefined) => string | undefined

/** The folder that a session belongs to. */
export interface SessionPlacement {
  readonly cwd: string
  /** As its storage groups it. */
  readonly project?: string | undefined
  /** As its program noted it: see `ProjectOf`. */
  readonly repository?: string | undefined
}

/** Whether a session is listed with those of a folder: it was started there, or in another folder of the same project. */
export function isOfFolder(session: SessionPlacement, folder: string, projectOf: ProjectOf = () => undefined): boolean {
  const project = projectOf(folder)
  const own = project === undefined ? undefined : (session.project ?? projectOf(session.cwd, () => session.repository))
  return (own !== undefined && own === project) || isSameFolder(session.cwd, folder)
}

/** What a header says of the repository that the folder of the session is in, without names and keys of users; empty if nothing. */
export function repositoryIn({ source }: Readonly<Record<string, unknown>>): string {
  return isJsonObject(source) ? textIn(source.repository).replace(/\/\/[^/@]*@/, "//") : ""
}
