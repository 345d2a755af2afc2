import type { JsonObject } from "../../entry/values.js"
import { TreelogError } from "../../errors.js"
import { joinBytes } from "../../log/bytes.js"
import { encodeText } from "../../log/format-line.js"
import { jsonMembers } from "../../log/json-members.js"
import { editedParts } from "../../log/splice.js"
import { spliceLine } from "../../log/splice-line.js"
import { assembled } from "../reader/assembled.js"
import type { SessionFactory } from "../session-factory.js"
import { readStart, readToCopy, replaceByCopy, underLease } from "./stored-session.js"

/**
 * Gives a session to another folder. The header goes first: a move that is cut short leaves a session that belongs to the
 * new folder already. Moved again it comes to its place, also where the move that was cut short had begun to make room there.
 * @returns the new key
 */
export function moveSession(factory: SessionFactory, key: string, cwd: string): Promise<string> {
  const { storage } = factory
  return underLease(storage, key, async (lease) => {
    const read = await readToCopy(storage, key)
    const to = factory.keyFor({ ...read.log.header, cwd })
    const there = to === key ? undefined : await storage.stat(to)
    if (there && there.size > 0 && there.identity !== read.stat.identity)
      throw new TreelogError("SessionExistsError", `There is a session at ${to} already.`, { key: to })
    await replaceByCopy(storage, lease, read, (header) => ({ ...header, cwd }))
    if (to !== key) await lease.move(to)
    return to
  })
}

/**
 * Updates a session whose folder was renamed: of its bytes only the value of the header's `cwd` changes. The file goes
 * first, so that one who is cut short finds the session still of the old folder, and does the rest the next time.
 * @param to where it goes, if that is not where new sessions of the folder are made
 * @returns where it is then
 */
export function relocateSession(factory: SessionFactory, key: string, cwd: string, to?: string): Promise<string> {
  const { storage } = factory
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
