import type { SessionEntry } from "@treelog/session-core"
import type { TestServer } from "./postgres.js"

/** Something that sessions must survive, tried many times. */
export interface FaultTest {
  readonly name: string
  /** What is done, and what must hold, in a sentence. */
  readonly promise: string
  /** How many tries the short form makes, which is part of the tests (ten times as many every night), and how many the long one. */
  readonly counts: { readonly short: number; readonly long: number }
  /** Returns how often it tried, if not `count` times; or why nothing was tried, where this machine cannot. */
  run(options: TrialOptions): Promise<number | string | undefined>
}

export interface TrialOptions {
  readonly count: number
  readonly seed: number
  /** An empty folder, removed after the test. */
  readonly folder: string
  readonly findings: Findings
  /** The path of the bundle of a program in child/. */
  program(name: string): string
  /** Starts a PostgreSQL server, which is stopped after the test. */
  startServer(): Promise<TestServer>
  progress(done: number): void
}

export interface FaultTestResult {
  readonly tried: number
  /** What did not hold; empty when all did. */
  readonly broken: readonly string[]
  /** What else is worth knowing: how often what happened. */
  readonly figures: Readonly<Record<string, number>>
  /** Why nothing was tried. */
  readonly skipped?: string
}

/** Counts what happens and keeps what breaks. */
export class Findings {
  readonly broken: string[] = []
  readonly figures: Record<string, number> = {}

  count(what: string, by = 1): void {
    this.figures[what] = (this.figures[what] ?? 0) + by
  }

  expect(holds: boolean, what: () => string): void {
    if (!holds) this.broken.push(what())
  }

  /** Expects a sound session that has every acknowledged entry, and none twice. @returns the ids of its entries */
  expectStored(
    what: string,
    { faults, entries }: { readonly faults: readonly string[]; readonly entries: readonly SessionEntry[] },
    acknowledged: readonly string[],
  ): string[] {
    for (const fault of faults) this.broken.push(`${what}: ${fault}`)
    const ids = entries.map(({ id }) => id)
    const stored = new Set(ids)
    this.expect(stored.size === ids.length, () => `${what}: ${ids.length - stored.size} entries are there twice`)
    const lost = acknowledged.filter((id) => !stored.has(id))
    this.expect(
      lost.length === 0,
      () => `${what}: ${lost.length} of ${acknowledged.length} acknowledged entries are lost`,
    )
    this.count("entries acknowledged", acknowledged.length)
    return ids
  }
}
