/** What a command opens once and shares, such as a connection, and what closes it when the command ends. */
export class Resources {
  readonly #made = new Map<string, Promise<unknown>>()
  readonly #closers: (() => Promise<void>)[] = []

  /** The value that `make` returned for the same name before, or else returns now. */
  once<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    const made = this.#made.get(name) ?? make()
    this.#made.set(name, made)
    return made as Promise<Value>
  }

  /** Calls `close` when the command ends, also where it failed or was interrupted. */
  onEnd(close: () => Promise<void>): void {
    this.#closers.push(close)
  }

  /** Closes everything, the last one first. */
  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) await close()
  }
}
