import type { JsonObject } from "../../entry/json-object.js"
import { encodeText } from "../../log/format-line.js"
import { joinBytes } from "../../log/join-bytes.js"
import { jsonMembers } from "../../log/json-members.js"
import { type LogOutline, LogReader } from "../../log/session-log.js"
import { editedParts } from "../../log/splice.js"
import { spliceLine } from "../../log/splice-line.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { assembled } from "../reader/assembled.js"
import { storedLines } from "../reader/read-stored.js"
import { noSessionAt } from "../session-errors.js"
import type { SessionFactory } from "../session-factory.js"
import { assertSupported } from "../supported.js"

/** Most headers are shorter. Bytes. */
const HEAD = 4096

/**
 * Updates a session whose folder was renamed: of its bytes only the value of the header's `cwd` changes. The file goes
 * first, so that one who is cut short finds the session still of the old folder, and does the rest the next time.
 * @param to where it goes, if that is not where new sessions of the folder are made
 * @returns where it is then
 */
export async function relocateSession(factory: SessionFactory, key: string, cwd: string, to?: string): Promise<string> {
  const { storage } = factory
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  try {
    const { outline } = await readOutline(storage, key)
    assertSupported(outline, key)
    const target = to ?? factory.keyFor({ ...outline.header, cwd })
    if (target !== key) await lease.move(target)
    if (outline.header.cwd === cwd) return target
    // Read again where it is now: a program without a lease may have replaced it before it was moved.
    const { stat: expected, outline: moved } = await readOutline(storage, target)
    const { offset, length } = moved.headerPlace
    const edit = { offset, length, bytes: (raw: Uint8Array) => withMember(raw, moved.header, "cwd", cwd) }
    const source = { from: target, identity: expected.identity }
    await lease.replace(assembled(storage, editedParts(expected.size, [edit]), source), { expected })
    return target
  } finally {
    await lease.release()
  }
}

/** What is stored, and the header's line with those before it. @throws SessionNotFoundError, InvalidSessionError */
async function readOutline(storage: SessionStorage, key: string): Promise<{ stat: StorageStat; outline: LogOutline }> {
  const stat = await storage.stat(key)
  const reader = new LogReader(key)
  for await (const line of stat ? storedLines(storage, key, stat, HEAD) : []) {
    reader.push(line)
    if (reader.header) break
  }
  const outline = reader.finish()
  if (stat && outline) return { stat, outline }
  throw noSessionAt(key)
}

/** The text of the object with another value in the place of the one that counts for the key, and no other byte changed. */
function withMember(raw: Uint8Array, object: JsonObject, key: string, value: string): Uint8Array {
  const old = jsonMembers(raw)
    .filter((member) => member.key === key)
    .at(-1)?.valueBytes
  if (!old) return spliceLine(raw, object, { ...object, [key]: value })
  const at = old.byteOffset - raw.byteOffset
  return joinBytes([raw.subarray(0, at), encodeText(JSON.stringify(value)), raw.subarray(at + old.length)])
}
