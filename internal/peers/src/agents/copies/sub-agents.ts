import type { WriteSessionOptions } from "@treelog/agents/claude-code"
import { MemorySessionStorage, type Session, SessionManager, type SessionSource } from "@treelog/session-core"
import { partOf } from "@treelog/session-core/adapter"

/** The transcripts of the sub-agents of a session. @param path of the session */
export function transcriptsOf(storage: SessionSource, path: string): WriteSessionOptions["transcripts"] {
  return async function* () {
    for await (const { name, chunks } of storage.artifacts(path)) {
      if (!name.endsWith(".jsonl")) continue
      const pieces: Uint8Array[] = []
      for await (const bytes of chunks ?? []) pieces.push(Uint8Array.from(bytes))
      const [header, ...entries] = Buffer.concat(pieces)
        .toString("utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      const manager = new SessionManager({ storage: new MemorySessionStorage() })
      yield { name, session: manager.inMemory(header.cwd, { header, entries }) }
    }
  }
}

/** How many sub-agents of a session have a transcript behind the call that started them. */
export async function calledSubAgents(storage: SessionSource, path: string, session: Session): Promise<number> {
  const names = new Set<string>()
  for await (const { name } of storage.artifacts(path)) names.add(name)
  const parts = session.getBranch().flatMap((entry) => partOf(entry) ?? [])
  return parts.filter(({ name, call, role }) => role === "subagent" && call !== undefined && names.has(name)).length
}
