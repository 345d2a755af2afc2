import type { JsonObject } from "../entry/values.js"
import { joinBytes } from "../log/bytes.js"
import { encodeText } from "../log/format-line.js"
import { jsonMembers } from "../log/json-members.js"
import { editedParts } from "../log/splice.js"
import { spliceLine } from "../log/splice-line.js"
import { sessionExists } from "../ports/stored-errors.js"
import { factoryOf } from "../session/factory-of.js"
import type { SessionRef } from "../session/listing/resolve-ref.js"
import { assembled } from "../session/reader/assembled.js"
import { readStart, readToCopy, replaceByCopy, underLease } from "../session/rewrite/stored-session.js"
import type { SessionManager } from "../session/session-manager.js"

// A move writes the header first: a move that is interrupted leaves a session that belongs to the new folder already, and moving it again
// completes the move, also where the first one had reserved the place. `relocateSession` moves the file first: when it is interrupted, the
// session still belongs to the old folder, and relocating it again completes the rest.

/**
 * Moves a session to another folder: its header names it, and its file and artifacts move to that folder's bucket.
 * @returns the new key
 * @throws SessionNotFoundError, SessionBusyError, SessionExistsError, UnsupportedVersionError
 */
export async function moveSession(sessions: SessionManager, ref: SessionRef, cwd: string): Promise<string> {
  const factory = factoryOf(sessions)
  const key = await sessions.resolve(ref)
  const storage = factory.writable(key)
  return underLease(storage, key, async (lease) => {
    const read = await readToCopy(storage, key)
    const to = factory.keyFor({ ...read.log.header, cwd })
    const there = to === key ? undefined : await storage.stat(to)
    if (there && there.size > 0 && there.identity !== read.stat.identity) throw sessionExists(to)
    await replaceByCopy(storage, lease, read, (header) => ({ ...header, cwd }))
    if (to !== key) await lease.move(to)
    return to
  })
}

/**
 * Updates a session whose folder was renamed: the file and its artifacts move to that folder's bucket, and of its bytes only the value
 * of the header's `cwd` changes; unlike `moveSession`, it migrates nothing.
 * @param to the new key, where it is not to be that of a new session of the folder
 * @returns the new key
 * @throws SessionNotFoundError, SessionBusyError, SessionExistsError, InvalidSessionError, UnsupportedVersionError
 */
export async function relocateSession(
  sessions: SessionManager,
  ref: SessionRef,
  cwd: string,
  { to }: { to?: string } = {},
): Promise<string> {
  const factory = factoryOf(sessions)
  const key = await sessions.resolve(ref)
  const storage = factory.writable(key)
  return underLease(storage, key, async (lease) => {
    const { outline } = await readStart(storage, key)
    const target = to ?? factory.keyFor({ ...outline.header, cwd })
    if (target !== key) await lease.move(target)
    if (outline.header.cwd === cwd) return target
    // Read again where it is now: a program without a lease may have replaced it before it was moved.
    const { stat: expected, outline: moved } = await readStart(storage, target)
    const { offset, length } = moved.headerPlace
    const edit = { offset, length, bytes: (raw: Uint8Array) => withMember(raw, moved.header, "cwd", cwd) }
    const source = { from: target, identity: expected.identity }
    await lease.replace(assembled(storage, editedParts(expected.size, [edit]), source), { expected })
    return target
  })
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
