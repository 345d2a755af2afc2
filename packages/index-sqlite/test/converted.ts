import type { MemorySessionStorage, SessionEntry, SessionHeader, SessionSource } from "@treelog/session-core"
import { usagesOf } from "@treelog/session-core/search"
import { textOf } from "@treelog-internal/test-kit"

/** The storage of an agent whose sessions are converted: it can be read alone. What they used is found without the rest, but for those in an odd form. */
export function converted(storage: MemorySessionStorage): SessionSource {
  const { stat, list, find, readRange, artifacts, parts, keyFromRef, folderOf } = storage
  const members = { stat, list, find, readRange, artifacts, parts, keyFromRef, folderOf }
  const bound = Object.entries(members).map(([name, member]) => [name, (member as () => unknown).bind(storage)])
  const usage: SessionSource["usage"] = (key) => usageIn(storage, key)
  return Object.fromEntries([...bound, ["watch", undefined], ["usage", usage]]) as unknown as SessionSource
}

async function usageIn(storage: MemorySessionStorage, key: string): ReturnType<NonNullable<SessionSource["usage"]>> {
  const stat = await storage.stat(key)
  if (!stat) return undefined
  const lines = textOf(await storage.readRange(key, 0, stat.size)).split("\n")
  const records = lines.flatMap((line): (SessionEntry | SessionHeader | undefined)[] =>
    line === "" ? [] : [parsed(line)],
  )
  const [header, ...entries] = records
  if (header?.type !== "session" || !("version" in header) || header.version !== 3) return undefined
  if (records.includes(undefined)) return undefined
  const isNeeded = (entry: SessionEntry): boolean => usagesOf(entry).length > 0 || NAMING.has(entry.type)
  const source = { ...stat, identity: `of ${stat.identity}` }
  return { source, header: header as SessionHeader, entries: (entries as SessionEntry[]).filter(isNeeded) }
}

const NAMING: ReadonlySet<string> = new Set(["session_info", "title_change"])

function parsed(line: string): SessionEntry | undefined {
  try {
    return JSON.parse(line) as SessionEntry
  } catch {
    // It is read by whoever can repair it.
    return undefined
  }
}
