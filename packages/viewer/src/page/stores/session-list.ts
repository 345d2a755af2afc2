import { compareRecency } from "@treelog/session-core/adapter"
import { foldText, timeSpan } from "@treelog/session-core/search"
import type { ListedSession } from "./listed-session.js"

/** What limits the list. */
export interface SessionFilter {
  /** Words that the title, the folder or the id contain. */
  readonly q?: string | undefined
  /** A folder. */
  readonly project?: string | undefined
  readonly agent?: string | undefined
  readonly store?: string | undefined
  /** A time as `timeSpan` reads it. */
  readonly since?: string | undefined
}

/** A folder with sessions. */
export interface Project {
  readonly cwd: string
  readonly folder: string
  readonly count: number
}

/** The sessions of all stores, the newest first; those without a message, last. */
export class SessionList {
  readonly #byKey = new Map<string, ListedSession>()
  #sorted: readonly ListedSession[] | undefined = []

  get size(): number {
    return this.#byKey.size
  }

  /** Adds sessions, or replaces what is known of them. @returns whether anything has changed */
  add(sessions: readonly ListedSession[]): boolean {
    let hasChanged = false
    for (const session of sessions) {
      const known = this.#byKey.get(session.key)
      if (known && isSame(known, session)) continue
      this.#byKey.set(session.key, session)
      hasChanged = true
    }
    if (hasChanged) this.#sorted = undefined
    return hasChanged
  }

  /** Removes the sessions that are not among these. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#byKey.keys()) if (!keys.has(key) && this.#byKey.delete(key)) this.#sorted = undefined
  }

  get(key: string): ListedSession | undefined {
    return this.#byKey.get(key)
  }

  /** When the newest session was modified. Milliseconds since 1970; 0 without any. */
  get newest(): number {
    let newest = 0
    for (const { modified } of this.#byKey.values()) if (modified > newest) newest = modified
    return newest
  }

  all(): readonly ListedSession[] {
    this.#sorted ??= [...this.#byKey.values()].sort((a, b) => compareRecency(a, b) || (a.key < b.key ? -1 : 1))
    return this.#sorted
  }

  /** @param now milliseconds since 1970 @throws InvalidArgumentError for what is not a time */
  filtered({ q = "", project, agent, store, since }: SessionFilter, now: number): readonly ListedSession[] {
    const words = foldText(q)
      .split(/\s+/)
      .filter((word) => word !== "")
    const from = since === undefined ? Number.NEGATIVE_INFINITY : timeSpan(since, now).from
    const isEverything = words.length === 0 && [project, agent, store, since].every((value) => value === undefined)
    if (isEverything) return this.all()
    return this.all().filter(
      (session) =>
        (project === undefined || session.project === project) &&
        (agent === undefined || foldText(session.agent) === foldText(agent)) &&
        (store === undefined || session.store === store || session.copies.split("\n").includes(store)) &&
        session.modified >= from &&
        words.every((word) => session.folded.includes(word)),
    )
  }

  /** The agents that made them, by name. */
  agents(): readonly string[] {
    return [...new Set([...this.#byKey.values()].map(({ agent }) => agent))].sort()
  }

  /** The folders of sessions, that of the newest one first. */
  projects(): readonly Project[] {
    const counts = new Map<string, { cwd: string; folder: string; count: number }>()
    for (const { project: cwd, projectText } of this.all()) {
      const project = counts.get(cwd)
      if (project) project.count += 1
      else counts.set(cwd, { cwd, folder: projectText, count: 1 })
    }
    return [...counts.values()]
  }
}

function isSame(a: ListedSession, b: ListedSession): boolean {
  return (Object.keys(b) as (keyof ListedSession)[]).every((name) => a[name] === b[name])
}
