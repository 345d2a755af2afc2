import { hex } from "./digest.js"

/** A source of ids for sessions and entries. */
export interface IdSource {
  /** An id for a new session, UUIDv7 by default. `now` in milliseconds since 1970. */
  sessionId(now: number): string
  /** A candidate for an entry id: 8 lower-case hex digits. The session checks that it is not in use. */
  entryId(): string
  /** A long id, used if short ones keep colliding. */
  uuid(): string
}

/** Random ids from the platform's cryptographic random numbers. */
export const randomIds: IdSource = {
  sessionId: (now) => formatUuid(withTimestamp(randomUuidBytes(), now), 7),
  entryId: () => takeWord().toString(16).padStart(8, "0"),
  uuid: () => formatUuid(randomUuidBytes(), 4),
}

const pool = /* @__PURE__ */ new Uint32Array(256)
/** How many words of the pool are used. */
let taken = 256

/** 32 random bits from a pool: a call of the platform takes about 3 µs, for one byte as for many. */
function takeWord(): number {
  if (taken === pool.length) {
    crypto.getRandomValues(new Uint8Array(pool.buffer))
    taken = 0
  }
  return pool[taken++] as number
}

function randomUuidBytes(): Uint8Array {
  return new Uint8Array(Uint32Array.from({ length: 4 }, takeWord).buffer)
}

/** UUIDv7 begins with 48 bits of milliseconds, most significant first. */
function withTimestamp(bytes: Uint8Array, now: number): Uint8Array {
  let rest = now
  for (let index = 5; index >= 0; index--) {
    bytes[index] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return bytes
}

function formatUuid(bytes: Uint8Array, version: 4 | 7): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

const TRIES = 100

/** An id that no entry of the session has (FORMAT.md, section 5): 8 hex digits, or a UUID when 100 of those were taken. */
export function freshEntryId(ids: IdSource, isTaken: (id: string) => boolean): string {
  for (let tries = 0; tries < TRIES; tries++) {
    const id = ids.entryId()
    if (!isTaken(id)) return id
  }
  return ids.uuid()
}

/** With the time and what is kept beside a session, the name of its file must stay below 255 bytes. */
export const LONGEST_ID = 128

/** Whether an id can be part of the name of a file, as one that someone chose has to (FORMAT.md, section 1). */
export function isNameableId(id: string): boolean {
  return id.length <= LONGEST_ID && /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(id)
}
