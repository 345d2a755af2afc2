// The part of vitest that the laws of the core use, for pages and workers: laws are noted when their file is loaded, and run when
// the page is told to. The assertions are vitest's own.

import { ASYMMETRIC_MATCHERS_OBJECT, chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect"

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

export interface LawResult {
  readonly name: string
  /** Undefined where the law holds, or does not apply. */
  readonly failure?: string
  readonly skipped?: boolean
}

type Body = (...values: unknown[]) => unknown

const laws: { readonly name: string; readonly body: Body | undefined }[] = []
const around: string[] = []

export const describe = withEach((name, ...rest) => {
  around.push(name)
  bodyOf(rest)()
  around.pop()
})

export const it = Object.assign(
  withEach((name, ...rest) => laws.push({ name: [...around, name].join(" > "), body: bodyOf(rest) })),
  { skip: (name: string) => laws.push({ name: [...around, name].join(" > "), body: undefined }) },
)

export { it as test }

export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  (globalThis as unknown as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT],
)

/**
 * Runs what was noted, one after the other.
 * @param except a pattern of the names that are left out
 */
export async function runLaws(except: string): Promise<LawResult[]> {
  const results: LawResult[] = []
  for (const { name, body } of laws) {
    const isRun = body && !new RegExp(except).test(name)
    results.push(isRun ? await outcome(name, body) : { name, skipped: true })
  }
  return results
}

async function outcome(name: string, body: Body): Promise<LawResult> {
  try {
    await body()
    return { name }
  } catch (error) {
    return { name, failure: error instanceof Error ? `${error.stack}` : String(error) }
  }
}

/** Options may stand before it, or a time limit behind it. */
function bodyOf(rest: readonly unknown[]): Body {
  const body = rest.find((value) => typeof value === "function")
  if (!body) throw new TypeError("A test was registered without a body.")
  return body as Body
}

/** Registers one for every row. What the name shows of the row does not matter here: a number tells them apart. */
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
