import type { Clock } from "../ports/clock.js"
import type { StorageStat } from "../ports/storage-stat.js"
import { Changes } from "./changes.js"
import type { GrowingBytes } from "./growing-bytes.js"

export interface MemoryObject {
  readonly bytes: GrowingBytes
  stat: StorageStat
  /** True for backups and quarantined objects, which are not listed. */
  hidden: boolean
}

/** Bytes by key, shared by a memory storage and its leases. No method awaits, so each is atomic. */
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

  /** The keys that a listing shows now. */
  listedKeys(): string[] {
    return [...this.#objects].filter(([, object]) => !object.hidden).map(([key]) => key)
  }

  /** Stores an object under the key, replacing any previous one. */
  put(key: string, bytes: GrowingBytes): StorageStat {
    const identity = String(++this.#identities)
    const stat = { size: bytes.size, modified: this.#clock.now(), identity }
    this.#objects.set(key, { bytes, stat, hidden: false })
    this.changes.notify(key)
    return stat
  }

  append(key: string, object: MemoryObject, bytes: Uint8Array): StorageStat {
    object.bytes.append(bytes)
    object.stat = { ...object.stat, size: object.bytes.size, modified: this.#clock.now() }
    this.changes.notify(key)
    return object.stat
  }

  rename(from: string, to: string, object: MemoryObject): void {
    this.#objects.delete(from)
    this.#objects.set(to, object)
    this.changes.notify(from)
    this.changes.notify(to)
  }

  /** Renames the object to the key with the suffix, and a number if that is taken. Returns the name. */
  quarantineFile(key: string, suffix: string, object: MemoryObject): string {
    let name = key + suffix
    for (let number = 2; this.#objects.has(name); number++) name = `${key}${suffix}.${number}`
    object.hidden = true
    this.rename(key, name, object)
    return name
  }

  delete(key: string): void {
    if (this.#objects.delete(key)) this.changes.notify(key)
  }
}
