import type { Clock } from "../ports/clock.js"
import type { StorageStat } from "../ports/storage-stat.js"
import { Changes } from "./changes.js"
import type { GrowingBytes } from "./growing-bytes.js"

export interface MemoryObject {
  readonly bytes: GrowingBytes
  stat: StorageStat
  /** Kept and set-aside bytes are out of the listing's sight. */
  aside: boolean
}

/** Bytes by key: what a memory storage shares with its leases. Nothing here awaits, so each method is one step. */
export class MemoryObjects {
  readonly changes = new Changes()
  readonly #clock: Clock
  readonly #objects = new Map<string, MemoryObject>()
  #identities = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(key: string): MemoryObject | undefined {
    return this.#objects.get(key)
  }

  /** The keys that a listing shows at this moment. */
  listedKeys(): string[] {
    return [...this.#objects].filter(([, object]) => !object.aside).map(([key]) => key)
  }

  /** Puts a new object under the key, whatever was there. */
  put(key: string, bytes: GrowingBytes): StorageStat {
    const identity = String(++this.#identities)
    const stat = { size: bytes.size, modified: this.#clock.now(), identity }
    this.#objects.set(key, { bytes, stat, aside: false })
    this.changes.tell(key)
    return stat
  }

  append(key: string, object: MemoryObject, bytes: Uint8Array): StorageStat {
    object.bytes.append(bytes)
    object.stat = { ...object.stat, size: object.bytes.size, modified: this.#clock.now() }
    this.changes.tell(key)
    return object.stat
  }

  rename(from: string, to: string, object: MemoryObject): void {
    this.#objects.delete(from)
    this.#objects.set(to, object)
    this.changes.tell(from)
    this.changes.tell(to)
  }

  /** Renames to the key with the suffix, and a number where that is taken; gives the name. */
  quarantineFile(key: string, suffix: string, object: MemoryObject): string {
    let name = key + suffix
    for (let number = 2; this.#objects.has(name); number++) name = `${key}${suffix}.${number}`
    object.aside = true
    this.rename(key, name, object)
    return name
  }

  delete(key: string): void {
    if (this.#objects.delete(key)) this.changes.tell(key)
  }
}
