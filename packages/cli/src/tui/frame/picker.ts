import type { KeyHelp, KeyPress } from "./key-reader.js"

/** The lines of a screen. */
export interface Frame {
  readonly lines: readonly string[]
  /** The column of the cursor in the first line; undefined where it is hidden. */
  readonly cursor: number | undefined
}

/** The size of a terminal, in columns and rows. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** What a screen draws, and where its keys go. */
export interface Shown {
  frame(size: Size): Frame
  press(press: KeyPress): void
  resize(size: Size): void
  /** @returns a function that unsubscribes */
  onChange(listener: () => void): () => void
}

/**
 * A list to choose from: it has the frame and the meaning of keys, and is independent of the terminal. A picker
 * holds a state that is replaced, never changed, and notifies the screen of each new one.
 */
export abstract class Picker<State, Outcome> implements Shown {
  /** Resolves with what was picked, or with undefined when the user left; rejects with an unexpected error. */
  readonly outcome: Promise<Outcome | undefined>
  #state: State
  #hasEnded = false
  readonly #settle: { resolve: (outcome: Outcome | undefined) => void; reject: (error: unknown) => void }
  readonly #listeners = new Set<() => void>()

  constructor(state: State) {
    this.#state = state
    const { promise, ...settle } = withResolvers<Outcome | undefined>()
    this.outcome = promise
    this.#settle = settle
  }

  get state(): State {
    return this.#state
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** What the keys do that not every picker has. */
  abstract readonly keys: readonly KeyHelp[]
  /** Whether nothing is typed: `?` is no part of it then. */
  abstract get isBlank(): boolean

  abstract frame(size: Size): Frame
  abstract press(press: KeyPress): void
  abstract resize(size: Size): void

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  protected change(state: State): void {
    if (state === this.#state || this.#hasEnded) return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  protected end(outcome: Outcome | undefined): void {
    this.#hasEnded = true
    this.#settle.resolve(outcome)
  }

  protected fail(error: unknown): void {
    this.#hasEnded = true
    this.#settle.reject(error)
  }
}

function withResolvers<Value>(): {
  promise: Promise<Value>
  resolve: (value: Value) => void
  reject: (error: unknown) => void
} {
  let [resolve, reject]: [(value: Value) => void, (error: unknown) => void] = [() => {}, () => {}]
  const promise = new Promise<Value>((one, other) => {
    resolve = one
    reject = other
  })
  return { promise, resolve, reject }
}
