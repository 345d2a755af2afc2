// The globals that the suites need beyond those of the core (platform.d.ts): every test runner has timers and abort controllers.
// Declared only here, so that the rest of the core cannot use them.
declare function setTimeout(callback: () => void, ms: number): unknown

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function abortController(): { readonly signal: AbortSignal; abort(): void } {
  return new AbortController()
}
