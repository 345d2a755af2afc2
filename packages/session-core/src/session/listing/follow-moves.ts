import { isTreelogError } from "../../errors.js"

/** So often a session is looked for that another process moves to and fro all the time. */
const MOST_ATTEMPTS = 10

/**
 * Does the work on what a reference means: again where it is not found there, since it may have been moved in the meantime.
 * @param resolve finds it, and fails with SessionNotFoundError where it is nowhere any more
 */
export async function followMoves<Key, T>(resolve: () => Promise<Key>, work: (key: Key) => Promise<T>): Promise<T> {
  let lastKey: Key | undefined
  for (let attempt = 1; ; attempt++) {
    const key = await resolve()
    try {
      return await work(key)
    } catch (error) {
      if (!isTreelogError(error, "SessionNotFoundError") || key === lastKey || attempt === MOST_ATTEMPTS) throw error
      lastKey = key
    }
  }
}
