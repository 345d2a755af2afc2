/** Uses a storage of the browser, which throws if the page may not store anything, or has stored too much. */
export function withStorage<Result>(
  name: "localStorage" | "sessionStorage",
  use: (storage: Storage) => Result,
): Result | undefined {
  try {
    return use(window[name])
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}
