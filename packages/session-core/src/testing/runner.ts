/**
 * The test runner that a contract suite is run with. `{ describe, it }` of vitest, node:test, mocha and jest all fit,
 * so that a suite imports none of them.
 */
export interface TestRunner {
  describe(name: string, body: () => void): unknown
  readonly it: {
    (name: string, body: () => Promise<void>): unknown
    /** Used for the contract that do not apply; their name then ends with the reason. */
    skip?(name: string, body: () => Promise<void>): unknown
  }
  /** Takes the place of `it.skip`, for a runner that reports reasons of its own. */
  skip?(name: string, reason: string): unknown
}

/** Registers a test that does not run, with its reason where a reader of the results sees it. */
export function skip(runner: TestRunner, name: string, reason: string): void {
  const title = `${name} (skipped: ${reason})`
  if (runner.skip !== undefined) runner.skip(name, reason)
  else if (runner.it.skip !== undefined) runner.it.skip(title, async () => {})
  else runner.it(title, async () => {})
}
