import { MemorySessionStorage } from "@treelog/session-core"

/** A memory storage all of whose leases come from `lease`, for storages that change what leases do. */
export class AsyncMemoryStorage extends MemorySessionStorage {
  constructor(...args: ConstructorParameters<typeof MemorySessionStorage>) {
    super(...args)
    Object.assign(this, { leaseSync: undefined })
  }
}
