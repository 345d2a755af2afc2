import { useLayoutEffect, useReducer } from "preact/hooks"

/** Draws a component again whenever its state has changed. It listens from its first drawing on, before anything else can change. */
export function useChanges(state: { listen(listener: () => void): () => void }): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => state.listen(() => redraw(undefined)), [state])
}
