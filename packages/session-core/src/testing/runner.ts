/**
 * The test runner for a contract suite: `{ describe, it }` of vitest, node:test, mocha or jest. The suites import none of them.
 */
export interface TestRunner {
  describe(name: string, body: () => void): unknown
  readonly it: {
    (name: string, body: () => Promise<void>): unknown
    /** Used for tests that do not apply; the reason is appended to their name. */
    skip?(name: string, body: () => Promise<void>): unknown
  }
  /** Replaces `it.skip`, for a runner that reports reasons separately. */
  skip?(name: string, reason: string): unknown
}

/** Registers a skipped test, with the reason visible in the results. */
export function skip(runner: TestRunner, name: string, reason: string): void {
  const title = `${name} (skipped: ${reason})`
  if (runner.skip !== undefined) runner.skip(name, reason)
  else if (runner.it.skip !== undefined) runner.it.skip(title, async () => {})
  else runner.it(title, async () => {})
}
