import { randomIds } from "@treelog/session-core/adapter"

/** 8 hex digits that are not taken. */
export function freshId(isTaken: (id: string) => boolean): string {
  for (let tries = 0; tries < 100; tries++) {
    const id = randomIds.entryId()
    if (!isTaken(id)) return id
  }
  return randomIds.uuid()
}

/** The time of an entry. */
export function now(): string {
  return new Date().toISOString()
}
