import { isTreelogError, type TreelogError, type TreelogErrorCode } from "../errors.js"

// The suites have their own assertions, so that they run under every test runner.

export function ok(condition: boolean, claim: string): asserts condition {
  if (!condition) throw new Error(`This does not hold: ${claim}`)
}

/** Deep equality of plain values and of bytes. `what` names the value in the message. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (isBytes(actual) && isBytes(expected)) equalBytes(actual, expected, what)
  else ok(isEqual(actual, expected), `${what} is ${show(expected)}, not ${show(actual)}`)
}

/** Resolves to the error that `attempt` fails with; fails when it succeeds. */
export async function failure(attempt: Promise<unknown>, what: string): Promise<unknown> {
  const [outcome] = await Promise.allSettled([attempt])
  if (outcome.status === "rejected") return outcome.reason
  throw new Error(`This does not fail, as it should: ${what} gave ${show(outcome.value)}`)
}

/** Fails unless the attempt fails with a treelog error of the code. */
export async function failsWith<Code extends TreelogErrorCode>(
  code: Code,
  attempt: Promise<unknown>,
  what: string,
): Promise<TreelogError<Code>> {
  const error = await failure(attempt, what)
  if (isTreelogError(error, code)) return error
  throw new Error(`Expected ${what} to fail with a ${code}, but it failed with ${show(error)}`, { cause: error })
}

/** By its tag and not by `instanceof`, since a runner may use another realm. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value)
}

function equalBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  const shorter = Math.min(actual.length, expected.length)
  for (let at = 0; at < shorter; at++) {
    if (actual[at] === expected[at]) continue
    throw new Error(`This does not hold: byte ${at} of ${what} is ${expected[at]}, not ${actual[at]}`)
  }
  ok(actual.length === expected.length, `${what} is ${expected.length} bytes, not ${actual.length}`)
}

function isEqual(actual: unknown, expected: unknown): boolean {
  if (Object.is(actual, expected)) return true
  if (typeof actual !== "object" || typeof expected !== "object" || actual === null || expected === null) return false
  if (Array.isArray(actual) !== Array.isArray(expected)) return false
  const [ours, theirs] = [Object.entries(actual), new Map(Object.entries(expected))]
  return (
    ours.length === theirs.size && ours.every(([name, value]) => theirs.has(name) && isEqual(value, theirs.get(name)))
  )
}

function show(value: unknown): string {
  if (isBytes(value)) return `${value.length} bytes`
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return JSON.stringify(value) ?? String(value)
}

/** Makes `slice` of the bytes share memory with them, as that of Node's `Buffer` does. */
export function sharingSlices(bytes: Uint8Array): Uint8Array {
  return Object.assign(bytes, { slice: bytes.subarray })
}
