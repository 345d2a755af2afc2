import { resolve } from "node:path"
import { isOfFolder, type ProjectOf } from "@treelog/session-core/adapter"
import type { IndexFilter } from "@treelog/session-core/search"
import { type OpenStore, projectFolders, projectName } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"

/** Where sessions are looked for. */
export interface Scope {
  /** An absolute path; undefined means everywhere. */
  readonly cwd?: string
  /** Sessions of other folders with the same project are meant too. */
  readonly projectOf?: ProjectOf
}

/** The folder whose sessions are meant. An absolute path. */
export function cwdIn({ io, options }: Pick<CommandContext, "io" | "options">): string {
  return resolve(io.cwd, options.cwd ?? "")
}

export function scopeOf(context: CommandContext, projectOf: ProjectOf): Scope {
  return context.options.all ? {} : { cwd: cwdIn(context), projectOf }
}

/**
 * The projects of a store: on a server the name of the repository, since folders have other paths on other machines; of files its folder.
 * Remembers each folder.
 */
export function projectsOf({ files, agent }: Pick<OpenStore, "files" | "agent">): ProjectOf {
  if (files || agent) return projectFolders()
  const known = new Map<string, string | undefined>()
  return (cwd) => {
    if (!known.has(cwd)) known.set(cwd, projectName(cwd))
    return known.get(cwd)
  }
}

/** Names what folders are grouped by: their project, or the folder itself. */
export function projectGroups(): (cwd: string) => string {
  const projectOf = projectFolders()
  return (cwd) => projectOf(cwd) ?? cwd
}

/** The sessions of a scope, for an index. */
export function filterOfScope({ cwd, projectOf }: Scope): Pick<IndexFilter, "isWanted"> {
  return cwd === undefined ? {} : { isWanted: (session) => isOfFolder(session, cwd, projectOf) }
}

/** For sentences: ` of the project github.com/me/shop`, ` of /home/me/shop`; empty for everywhere. */
export function ofScope({ cwd, projectOf }: Scope): string {
  if (cwd === undefined) return ""
  const project = projectOf?.(cwd)
  return project === undefined || project === cwd ? ` of ${cwd}` : ` of the project ${project}`
}
