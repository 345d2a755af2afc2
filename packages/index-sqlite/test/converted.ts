import type { MemorySessionStorage, SessionSource } from "@treelog/session-core"

/** The storage of an agent whose sessions are converted: it can be read alone. */
export function converted(storage: MemorySessionStorage): SessionSource {
  const { stat, list, find, readRange, artifacts, parts, keyFromRef, folderOf } = storage
  const members = { stat, list, find, readRange, artifacts, parts, keyFromRef, folderOf }
  const bound = Object.entries(members).map(([name, member]) => [name, (member as () => unknown).bind(storage)])
  return Object.fromEntries([...bound, ["watch", undefined]]) as unknown as SessionSource
}
