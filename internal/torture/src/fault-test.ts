/** Something that sessions must survive, tried many times. */
export interface FaultTest {
  readonly name: string
  /** What is done, and what must hold, in a sentence. */
  readonly promise: string
  /** How many tries the short form makes, which is part of the tests (ten times as many every night), and how many the long one. */
  readonly counts: { readonly short: number; readonly long: number }
  run(options: TrialOptions): Promise<FaultTestResult>
}

export interface TrialOptions {
  readonly count: number
  readonly seed: number
  /** An empty folder, removed after the test. */
  readonly folder: string
  /** Bundles of the programs in child/, by name. */
  readonly programs: Programs
  progress(done: number): void
}

export interface FaultTestResult {
  readonly tried: number
  /** What did not hold; empty when all did. */
  readonly broken: readonly string[]
  /** What else is worth knowing: how often what happened. */
  readonly figures: Readonly<Record<string, number>>
  /** Why nothing was tried, where this machine cannot. */
  readonly skipped?: string
}

export interface Programs {
  path(
    name:
      | "append-and-log"
      | "append-shared"
      | "append-through"
      | "append-to-postgres"
      | "compact-shared"
      | "hold"
      | "slim",
  ): string
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
}
