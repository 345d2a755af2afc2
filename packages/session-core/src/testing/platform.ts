// What the suites need of their platform beyond the core's globals (platform.d.ts): wherever a test runner runs, there
// are timers and abort controllers. Declared here alone, so that the core proper cannot reach them.
declare function setTimeout(callback: () => void, ms: number): unknown

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function abortController(): { readonly signal: AbortSignal; abort(): void } {
  return new AbortController()
}
