// The timers that the suites need beyond the globals of the core (platform.d.ts): every test runner has them.
// Declared only here, so that the rest of the core cannot use them.
declare function setTimeout(callback: () => void, ms: number): unknown

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
