import type { SessionSource, SessionStorage } from "@treelog/session-core"

export interface MadeCopy {
  readonly storage: SessionSource
  readonly key: string
  remove(): Promise<unknown>
}

export function madeIn(storage: SessionStorage, key: string): MadeCopy {
  return {
    storage,
    key,
    async remove() {
      const lease = await storage.lease(key, { access: "exclusive", waitMs: 0, toRemove: true })
      await lease.remove().finally(() => lease.release())
    },
  }
}

/** Does work that makes copies; where it fails, they are removed. @param made what was made by then */
export async function orNoCopies<Result>(made: readonly MadeCopy[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    for (const copy of made) await copy.remove()
    throw error
  }
}

/** Does work in copies; where it does not succeed, those that it left as they were are removed: they would be opened in place of their sessions. */
export async function orUnusedCopies<Result>(
  made: readonly MadeCopy[],
  work: () => Promise<Result>,
  isSuccess: (result: Result) => boolean,
): Promise<Result> {
  const sizeOf = async ({ storage, key }: MadeCopy) => (await storage.stat(key))?.size
  const before = await Promise.all(made.map(sizeOf))
  const result = await orNoCopies(made, work)
  if (isSuccess(result)) return result
  for (const [at, copy] of made.entries()) {
    const size = await sizeOf(copy)
    if (size !== undefined && size === before[at]) await copy.remove()
  }
  return result
}
