// The part of vitest that the tests of the core use, for pages and workers: tests are registered when their file is loaded, and run when
// `runTests` is called. The assertions are vitest's own.

import { ASYMMETRIC_MATCHERS_OBJECT, chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect"

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

export interface TestResult {
  readonly name: string
  /** Undefined when the test passed or was skipped. */
  readonly failure?: string
  readonly skipped?: boolean
}

type Body = (...values: unknown[]) => unknown

const tests: { readonly name: string; readonly body: Body | undefined }[] = []
const around: string[] = []

export const describe = withEach((name, ...rest) => {
  around.push(name)
  bodyOf(rest)()
  around.pop()
})

export const it = Object.assign(
  withEach((name, ...rest) => tests.push({ name: [...around, name].join(" > "), body: bodyOf(rest) })),
  { skip: (name: string) => tests.push({ name: [...around, name].join(" > "), body: undefined }) },
)

export { it as test }

export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  (globalThis as unknown as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT],
)

/** Runs the registered tests, one after the other. @param except regular expression for the names of tests to skip */
export async function runTests(except: string): Promise<TestResult[]> {
  const results: TestResult[] = []
  for (const { name, body } of tests) {
    const isRun = body && !new RegExp(except).test(name)
    results.push(isRun ? await outcome(name, body) : { name, skipped: true })
  }
  return results
}

async function outcome(name: string, body: Body): Promise<TestResult> {
  try {
    await body()
    return { name }
  } catch (error) {
    return { name, failure: error instanceof Error ? `${error.stack}` : String(error) }
  }
}

/** The test's function among the arguments of `test()`, which may also be options or a time limit. */
function bodyOf(rest: readonly unknown[]): Body {
  const body = rest.find((value) => typeof value === "function")
  if (!body) throw new TypeError("A test was registered without a body.")
  return body as Body
}

/** Adds `each`, which registers one test per row. The name ends in the number of the row instead of its values. */
function withEach(register: (name: string, ...rest: unknown[]) => unknown) {
  const each =
    (rows: readonly unknown[]) =>
    (name: string, ...rest: unknown[]) => {
      for (const [index, row] of rows.entries()) {
        const values = Array.isArray(row) ? row : [row]
        register(`${name} (${index + 1})`, () => bodyOf(rest)(...values))
      }
    }
  return Object.assign(register, { each })
}
