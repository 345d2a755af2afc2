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

type Body<Fixture> = (fixture: Fixture) => Promise<void>

/** Tests by name; with `where`, they have terms: a capability that they need, or options of their fixture. */
export interface TestsOf<Fixture, Terms> {
  readonly [name: string]: Body<Fixture> | { readonly terms: Terms; readonly body: Body<Fixture> }
}

export function testsWhere<Fixture, Terms>(
  terms: Terms,
  tests: Readonly<Record<string, Body<Fixture>>>,
): TestsOf<Fixture, Terms> {
  return Object.fromEntries(Object.entries(tests).map(([name, body]) => [name, { terms, body }]))
}

interface Suite<Fixture, Terms> {
  readonly name: string
  /** Groups of tests, by name. */
  readonly groups: Readonly<Record<string, TestsOf<Fixture, Terms>>>
  /** The reason to skip tests with these terms; undefined if they apply. */
  reasonToSkip(terms: Terms): string | undefined
  /** Makes the fixture of one test; `close` is called after it, even if it fails. */
  open(terms: Terms | undefined): Promise<Fixture>
}

/** Registers the tests of a contract with the runner. */
export function registerSuite<Fixture extends { close(): Promise<void> }, Terms>(
  runner: TestRunner,
  { name, groups, reasonToSkip, open }: Suite<Fixture, Terms>,
): void {
  const register = (test: string, body: Body<Fixture>, terms?: Terms) => {
    const reason = terms && reasonToSkip(terms)
    if (reason !== undefined) skip(runner, test, reason)
    else
      runner.it(test, async () => {
        const fixture = await open(terms)
        try {
          await body(fixture)
        } finally {
          await fixture.close()
        }
      })
  }
  runner.describe(name, () => {
    for (const [group, tests] of Object.entries(groups))
      runner.describe(group, () => {
        for (const [test, entry] of Object.entries(tests))
          if (typeof entry === "function") register(test, entry)
          else register(test, entry.body, entry.terms)
      })
  })
}

/** Registers a skipped test, with the reason visible in the results. */
function skip(runner: TestRunner, name: string, reason: string): void {
  const title = `${name} (skipped: ${reason})`
  if (runner.skip !== undefined) runner.skip(name, reason)
  else if (runner.it.skip !== undefined) runner.it.skip(title, async () => {})
  else runner.it(title, async () => {})
}
