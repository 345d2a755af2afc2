import { resolve } from "node:path"
import { type OpenStore, projectName } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"

/** Where sessions are looked for. */
export interface Scope {
  /** An absolute path; undefined means everywhere. */
  readonly cwd?: string
  /** The project of that folder, in a store that groups sessions by project. */
  readonly project?: string | undefined
}

/** The folder whose sessions are meant. An absolute path. */
export function cwdIn({ io, options }: Pick<CommandContext, "io" | "options">): string {
  return resolve(io.cwd, options.cwd ?? "")
}

export function scopeOf(context: CommandContext, projectOf: (cwd: string) => string | undefined): Scope {
  if (context.options.all) return {}
  const cwd = cwdIn(context)
  return { cwd, project: projectOf(cwd) }
}

/** How a store groups sessions: one on a server by project, since folders have other paths on other machines; files by folder. */
export function projectsOf({ files, agent }: Pick<OpenStore, "files" | "agent">): (cwd: string) => string | undefined {
  if (files || agent) return () => undefined
  const known = new Map<string, string | undefined>()
  return (cwd) => {
    if (!known.has(cwd)) known.set(cwd, projectName(cwd))
    return known.get(cwd)
  }
}

/** For sentences: ` of the project github.com/me/shop`, ` of /home/me/shop`; empty for everywhere. */
export function ofScope({ cwd, project }: Scope): string {
  if (project !== undefined) return ` of the project ${project}`
  return cwd === undefined ? "" : ` of ${cwd}`
}
