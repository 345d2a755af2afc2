/** Notifies watchers of the changes of a key. */
export class Changes {
  readonly #listeners = new Set<(key: string) => void>()

  notify(key: string): void {
    for (const listener of this.#listeners) listener(key)
  }

  /** Yields at the start, then once for all the changes since it last yielded, until the signal aborts. */
  async *watch(key: string, signal: AbortSignal): AsyncGenerator<void> {
    let changed = true
    let wake = () => {}
    const abort = () => wake()
    const listener = (changedKey: string) => {
      if (changedKey !== key) return
      changed = true
      wake()
    }
    this.#listeners.add(listener)
    signal.addEventListener("abort", abort)
    try {
      while (!signal.aborted) {
        if (!changed) await new Promise<void>((resolve) => (wake = resolve))
        if (!changed) continue
        changed = false
        yield
      }
    } finally {
      this.#listeners.delete(listener)
      signal.removeEventListener("abort", abort)
    }
  }
}
