import { type PromptScope, repositoryScope } from "@treelog/history-sqlite"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { NEWEST } from "../sessions/newest.js"
import { oneSession } from "../sessions/one-or-all.js"
import { idOfSession } from "../sessions/open-to-read-or-write.js"
import { cwdIn } from "../sessions/scope.js"

/** Whose prompts are meant. */
export type ScopeName = "all" | "repository" | "cwd" | "session"

export interface ScopeOptions {
  readonly scope?: ScopeName
  /** A whole id, or `@last`, `@-2`. */
  readonly session?: string
}

/** The scope that is meant where none is named: what an option points at, or else everything. */
export function scopeName({ scope, session }: ScopeOptions, cwd: string | undefined): ScopeName {
  if (session !== undefined && scope !== undefined && scope !== "session")
    throw new UsageError(`--session cannot be combined with --scope ${scope}.`)
  if (session !== undefined) return "session"
  return scope ?? (cwd === undefined ? "all" : "cwd")
}

/** @throws SessionNotFoundError where `@last` or the like matches no session */
export async function promptScope(context: CommandContext, name: ScopeName, session?: string): Promise<PromptScope> {
  switch (name) {
    case "all":
      return { kind: "all" }
    case "repository":
      return repositoryScope(cwdIn(context))
    case "cwd":
      return { kind: "cwd", cwd: cwdIn(context) }
    case "session":
      return { kind: "session", sessionId: await sessionIdOf(context, session ?? NEWEST) }
  }
}

/** Prompts outlive their sessions, and come from other programs: an id is used as it is, and only `@last` is resolved. */
export async function sessionIdOf(context: CommandContext, ref: string): Promise<string> {
  if (!ref.startsWith("@")) return ref
  const { sessions, key } = await oneSession(context, ref)
  return idOfSession(sessions, key)
}
