import { useLayoutEffect, useReducer } from "preact/hooks"

export class ChangingState {
  readonly #listeners = new Set<() => void>()

  /** @returns a function that removes the listener */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  protected notify(): void {
    for (const listener of this.#listeners) listener()
  }

  protected forgetListeners(): void {
    this.#listeners.clear()
  }
}

/** Draws a component again whenever its state has changed. It listens from its first drawing on, before anything else can change. */
export function useChanges(state: ChangingState): void {
  const redraw = useRedraw()
  useLayoutEffect(() => state.listen(redraw), [state])
}

/** A function that draws the component again. */
export function useRedraw(): () => void {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  return () => redraw(undefined)
}
