import { MemorySessionStorage } from "@treelog/session-core"
import type { StorageStat } from "@treelog/session-core/adapter"

/** Notes which keys were looked at, and how many bytes of each were read. */
export class CountingStorage extends MemorySessionStorage {
  readonly looked: string[] = []
  readonly read = new Map<string, number>()

  override async stat(key: string): Promise<StorageStat | undefined> {
    this.looked.push(key)
    return super.stat(key)
  }

  override async readRange(key: string, offset: number, length: number, identity?: string): Promise<Uint8Array> {
    const bytes = await super.readRange(key, offset, length, identity)
    this.read.set(key, (this.read.get(key) ?? 0) + bytes.length)
    return bytes
  }

  forget(): void {
    this.looked.length = 0
    this.read.clear()
  }
}
