/** Which sessions the picker shows. */
export type SessionScope = "project" | "all"

export const SESSION_SORTS = ["activity", "name", "created"] as const

export type SessionSort = (typeof SESSION_SORTS)[number]

/** Which sessions are shown, in which order, and how. */
export interface SessionView {
  readonly scope: SessionScope
  readonly sort: SessionSort
  /** Only those that have a name. */
  readonly named: boolean
  /** Show where they are stored. */
  readonly paths: boolean
}
