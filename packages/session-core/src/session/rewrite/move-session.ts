import { TreelogError } from "../../errors.js"
import type { SessionFactory } from "../session-factory.js"
import { readToCopy, replaceByCopy, underLease } from "./stored-session.js"

/**
 * Gives a session to another folder. The header goes first: a move that is cut short leaves a session that belongs to the
 * new folder already. Moved again it comes to its place, also where the move that was cut short had begun to make room there.
 * @returns the new key
 */
export function moveSession(factory: SessionFactory, key: string, cwd: string): Promise<string> {
  const { storage } = factory
  return underLease(storage, key, async (lease) => {
    const read = await readToCopy(storage, key)
    const to = factory.keyFor({ ...read.log.header, cwd })
    const there = to === key ? undefined : await storage.stat(to)
    if (there && there.size > 0 && there.identity !== read.stat.identity)
      throw new TreelogError("SessionExistsError", `There is a session at ${to} already.`, { key: to })
    await replaceByCopy(storage, lease, read, (header) => ({ ...header, cwd }))
    if (to !== key) await lease.move(to)
    return to
  })
}
