import { CURRENT_VERSION } from "../../entry/header.js"
import { TreelogError } from "../../errors.js"
import { assembled } from "../reader/assembled.js"
import { readToCopy } from "../reader/read-stored.js"
import { noSessionAt } from "../session-errors.js"
import type { SessionFactory } from "../session-factory.js"
import { assertSupported } from "../supported.js"
import { copyParts } from "./copy-parts.js"

/**
 * Gives a session to another folder. The header goes first: a move that is cut short leaves a session that belongs to the
 * new folder already. Moved again it comes to its place, also where the move that was cut short had begun to make room there.
 * @returns the new key
 */
export async function moveSession(factory: SessionFactory, key: string, cwd: string): Promise<string> {
  const { storage } = factory
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  try {
    const expected = await storage.stat(key)
    const log = expected && (await readToCopy(storage, key, expected))
    if (!expected || !log) throw noSessionAt(key)
    assertSupported(log, key)
    const to = factory.keyFor({ ...log.header, cwd })
    const there = to === key ? undefined : await storage.stat(to)
    if (there && there.size > 0 && there.identity !== expected.identity)
      throw new TreelogError("SessionExistsError", `There is a session at ${to} already.`, { key: to })
    const parts = copyParts(log, (header) => ({ ...header, cwd }))
    const keepAs = log.version === CURRENT_VERSION ? {} : { keepAs: `.v${log.version}.bak` }
    await lease.replace(assembled(storage, parts, { from: key, identity: expected.identity }), { expected, ...keepAs })
    if (to !== key) await lease.move(to)
    return to
  } finally {
    await lease.release()
  }
}
