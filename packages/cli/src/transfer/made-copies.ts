import type { SessionStorage } from "@treelog/session-core"

/** A session that a command made to work on. */
export interface MadeCopy {
  readonly storage: SessionStorage
  readonly key: string
}

/** Does work that makes copies; where it fails, they are removed. @param made what was made by then */
export async function orNoCopies<Result>(made: readonly MadeCopy[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    for (const { storage, key } of made) {
      const lease = await storage.lease(key, { access: "exclusive", waitMs: 0, toRemove: true })
      await lease.remove().finally(() => lease.release())
    }
    throw error
  }
}
