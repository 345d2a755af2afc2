import { CachedSessionStorage, FileSessionStorage } from "../../src/index.js"
import { appendTo, KB, readThrough, sample } from "../cached/bytes.js"

// What the tests let other processes do: read and append to a session through a mirror, until they are killed.

const [agentDir = "", folder = "", key = ""] = process.argv.slice(2)
const remote = new FileSessionStorage({ agentDir, terminalId: "test" })
const onCacheError = (error: Error) => {
  throw error
}
for (let round = 0; ; round++) {
  const storage = new CachedSessionStorage(remote, { folder, onCacheError })
  const stat = await storage.stat(key)
  const ranges = await storage.openRanges(key, stat?.identity ?? "")
  for (let at = 0; at < 4; at++) await appendTo(storage, key, sample(50 * KB, round + at))
  ranges?.close()
  const read = await readThrough(storage, key)
  process.send?.(String(read.length))
  // Every other time all of it is fetched again.
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  const now = await storage.stat(key)
  if (round % 2 === 0 && now) await lease.replace([sample(20_000 * KB, round)], { expected: now })
  await lease.release()
}
