import { compareRecency } from "@treelog/session-core/adapter"
import { foldText, timeSpan } from "@treelog/session-core/search"
import type { ListedSession } from "./listed-session.js"

/** What limits the list. */
export interface ListFilter {
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

/** Sessions, the newest first. */
interface Sorted {
  /** With all copies of one. */
  readonly copies: readonly ListedSession[]
  readonly newest: readonly ListedSession[]
}

const NOTHING: Sorted = { copies: [], newest: [] }

/** The sessions of all stores, the newest first; those in which nobody said anything, last. */
export class SessionList {
  readonly #byKey = new Map<string, ListedSession>()
  #sorted: Sorted | undefined = NOTHING

  get size(): number {
    return this.all().length
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

  /** Removes the sessions of a store that are not among these. @returns whether there were any */
  retain(store: string, keys: ReadonlySet<string>): boolean {
    let hasChanged = false
    for (const [key, session] of this.#byKey)
      if (session.store === store && !keys.has(key)) hasChanged = this.#byKey.delete(key)
    if (hasChanged) this.#sorted = undefined
    return hasChanged
  }

  get(key: string): ListedSession | undefined {
    return this.#byKey.get(key)
  }

  /** When the newest session of a store was modified. Milliseconds since 1970; 0 without any. */
  newestOf(store: string): number {
    let newest = 0
    for (const session of this.#byKey.values())
      if (session.store === store && session.modified > newest) newest = session.modified
    return newest
  }

  /** Of a session that several stores have, such as an imported one, only the newest copy. */
  all(): readonly ListedSession[] {
    return this.#inOrder().newest
  }

  #inOrder(): Sorted {
    if (this.#sorted) return this.#sorted
    const copies = [...this.#byKey.values()].sort((a, b) => compareRecency(a, b) || (a.key < b.key ? -1 : 1))
    const ids = new Map<string, string[]>()
    for (const { id, store } of copies) ids.set(id, [...(ids.get(id) ?? []), store])
    const listed = new Set<string>()
    const newest = copies.flatMap((one) => {
      if (one.id === "") return [one]
      if (listed.has(one.id)) return []
      listed.add(one.id)
      const others = ids.get(one.id)?.slice(1) ?? []
      return [others.length === 0 ? one : { ...one, copies: others.join(", ") }]
    })
    this.#sorted = { copies, newest }
    return this.#sorted
  }

  /** @param now milliseconds since 1970 @throws InvalidArgumentError for what is not a time */
  filtered({ q = "", project, agent, store, since }: ListFilter, now: number): readonly ListedSession[] {
    const words = foldText(q)
      .split(/\s+/)
      .filter((word) => word !== "")
    const from = since === undefined ? Number.NEGATIVE_INFINITY : timeSpan(since, now).from
    const isEverything = words.length === 0 && [project, agent, store, since].every((value) => value === undefined)
    if (isEverything) return this.all()
    const sessions = store === undefined ? this.all() : this.#inOrder().copies
    return sessions.filter(
      (session) =>
        (project === undefined || session.project === project) &&
        (agent === undefined || foldText(session.agent) === foldText(agent)) &&
        (store === undefined || session.store === store) &&
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
