import type { SessionManager } from "@treelog/session-core"
import type { Findings } from "./fault-test.js"
import { say, soundness } from "./store.js"

/** What a writer printed before it was killed, and how the next one opens the session. */
export interface KilledWriter {
  /** The ids of the acknowledged entries. */
  readonly lines: readonly string[]
  readonly what: string
  readonly access: "exclusive" | "shared"
  /** The kill may have torn one line: it stays in the file, and is reported. */
  readonly tears?: boolean
}

/**
 * Expects that the session of a writer that was killed has what was acknowledged, and that the next writer continues it.
 * @returns how long the next one took to open it and to append. Milliseconds
 */
export async function expectNextWriter(
  findings: Findings,
  manager: SessionManager,
  key: string,
  { lines, what, access, tears = false }: KilledWriter,
): Promise<number> {
  const begin = performance.now()
  const session = await manager.open(key, access === "shared" ? { access, busyTimeoutMs: 300_000 } : { access })
  const leaf = session.getLeafId()
  const next = say(session, "after the kill")
  await session.close()
  const taken = performance.now() - begin
  const found = await soundness(manager, key)
  const torn = tears ? found.faults.filter((fault) => fault.startsWith("invalid-json ")).slice(0, 1) : []
  if (tears) findings.count("lines torn", torn.length)
  findings.expectStored(what, { ...found, faults: found.faults.filter((fault) => !torn.includes(fault)) }, lines)
  // What the killed one had sent may be stored after the session was opened: then it is another child of the same entry.
  const last = found.entries.at(-1)
  findings.expect(last?.id === next && last.parentId === leaf, () => `${what}: the next append is at a wrong place`)
  findings.count("entries found", found.entries.length - 1)
  return taken
}
