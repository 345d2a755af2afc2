/** What a command opens once and shares, such as a connection, and what closes it when the command ends. */
export class Resources {
  readonly #made = new Map<string, Promise<unknown>>()
  readonly #closers: (() => Promise<void>)[] = []
  #pending: (() => Promise<void>) | undefined

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

  /** Calls `work` before the command prints anything more, or when it ends. */
  beforeOutput(work: () => Promise<void>): void {
    this.#pending = work
  }

  /** To be called before anything is printed. */
  async output(): Promise<void> {
    const work = this.#pending
    this.#pending = undefined
    await work?.()
  }

  /** Closes everything, the last one first. */
  async close(): Promise<void> {
    await this.output()
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) await close()
  }
}
