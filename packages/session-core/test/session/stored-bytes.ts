import type { SessionStorage } from "@treelog/session-core"
import { bytesOf, textOf } from "@treelog-internal/test-kit"

type Pieces = Parameters<typeof bytesOf>

/** What is stored under the key; no bytes when nothing is. */
export async function storedBytes(storage: SessionStorage, key: string): Promise<Uint8Array> {
  const size = (await storage.stat(key))?.size ?? 0
  return size === 0 ? new Uint8Array() : storage.readRange(key, 0, size)
}

/** The same as a text; undefined when nothing is. */
export async function storedText(storage: SessionStorage, key: string): Promise<string | undefined> {
  const stat = await storage.stat(key)
  return stat && textOf(await storage.readRange(key, 0, stat.size))
}

/** The records that are stored, header first; lines that are no JSON as text. */
export async function storedRecords(storage: SessionStorage, key: string): Promise<Record<string, unknown>[]> {
  const text = (await storedText(storage, key)) ?? ""
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Puts bytes there as somebody who was before us. */
export async function putStored(storage: SessionStorage, key: string, ...pieces: Pieces): Promise<string> {
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytesOf(...pieces)])
  await lease.release()
  return key
}
