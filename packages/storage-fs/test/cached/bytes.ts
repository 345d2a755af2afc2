import { createHash } from "node:crypto"
import type { SessionStorage, StorageStat } from "@treelog/session-core"

export const KB = 1024

export async function appendTo(storage: SessionStorage, key: string, bytes: Uint8Array): Promise<StorageStat> {
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  const stat = await lease.append(bytes, (await storage.stat(key)) ?? { identity: "", size: 0, modified: 0 })
  await lease.release()
  return stat
}

/** Bytes of which no two stretches are the same. */
export function sample(length: number, seed = 1): Buffer {
  const words = new Uint32Array(Math.ceil(length / 4))
  let state = seed
  for (let at = 0; at < words.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    words[at] = state
  }
  return Buffer.from(words.buffer, 0, length)
}

/** Stands for bytes: comparing many takes vitest long. */
export function sum(bytes: Uint8Array | undefined): string {
  if (!bytes) return "no bytes"
  return `${bytes.length} bytes, ${createHash("sha256").update(bytes).digest("hex")}`
}

/** Opens all of a session, and reads it through synchronous reads. */
export async function readThrough(storage: SessionStorage, key: string): Promise<Buffer> {
  const stat = await storage.stat(key)
  if (!stat) throw new Error(`there is no ${key}`)
  const ranges = await storage.openRanges?.(key, stat.identity)
  if (!ranges) throw new Error("there are no synchronous reads")
  const bytes = Buffer.from(ranges.read(0, stat.size + 1))
  ranges.close()
  return bytes
}
