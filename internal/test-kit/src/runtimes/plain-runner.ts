import type { TestRunner } from "@treelog/session-core/testing"

/** What a contract suite came to. */
export interface SuiteReport {
  readonly passed: number
  /** The names of the tests that failed, with their errors. */
  readonly failed: readonly string[]
}

/** Runs contract suites in any runtime, without a test runner of its own. */
export class PlainRunner implements TestRunner {
  readonly #tests: { readonly name: string; readonly body: () => Promise<void> }[] = []
  readonly #within: string[] = []

  readonly describe = (name: string, body: () => void): void => {
    this.#within.push(name)
    body()
    this.#within.pop()
  }

  readonly it = (name: string, body: () => Promise<void>): void => {
    this.#tests.push({ name: [...this.#within, name].join(" > "), body })
  }

  /** A test that does not apply is not a test. */
  readonly skip = (): void => {}

  async run(): Promise<SuiteReport> {
    const failed: string[] = []
    for (const { name, body } of this.#tests) {
      const [outcome] = await Promise.allSettled([body()])
      if (outcome.status === "rejected") failed.push(`${name}: ${String(outcome.reason)}`)
    }
    return { passed: this.#tests.length - failed.length, failed }
  }
}
