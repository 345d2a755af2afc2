// Sessions in whatever maps strings to bytes: a Map here, a bucket or a table elsewhere. docs/adapters.md has the contract.

import type { SessionStorage } from "@treelog/session-core"
import { TreelogError, type TreelogErrorCode } from "@treelog/session-core"
import type { Chunks, Lease, LeaseOptions, ListFilter, SessionPlace, StorageStat } from "@treelog/session-core/adapter"

/** What is asked of the store beneath. A `Map<string, Uint8Array>` has it. */
export interface KeyValues {
  get(key: string): Promise<Uint8Array | undefined> | Uint8Array | undefined
  set(key: string, value: Uint8Array): unknown
  delete(key: string): unknown
  keys(): Iterable<string> | AsyncIterable<string>
}

/** A value is a UUID, so that no object is taken for the one that had its key before; then the time; then the session. */
const [UUID, HEAD] = [36, 36 + 13]

export class KeyValueStorage implements SessionStorage {
  readonly leasesExpire = false
  readonly addArtifacts = undefined
  readonly breadcrumbs = undefined
  readonly watch = undefined
  readonly held = new Map<string, string>()

  constructor(readonly values: KeyValues) {}

  keyFor = ({ cwd, id }: SessionPlace) => `kv:${cwd}/${id}.jsonl`
  keyFromRef = (ref: string) => (ref.startsWith("kv:") ? ref : undefined)
  folderOf = (key: string) => key.slice(0, key.lastIndexOf("/"))
  stat = async (key: string) => (await this.read(key))?.stat

  async *list({ cwd, signal }: ListFilter = {}) {
    for await (const key of this.values.keys()) {
      signal?.throwIfAborted()
      const folder = this.folderOf(key)
      const isMeant = key.endsWith(".jsonl") && (cwd === undefined || folder === `kv:${cwd}`)
      if (isMeant) yield { key, id: key.slice(folder.length + 1, -".jsonl".length) }
    }
  }

  async *find(id: string, options: ListFilter = {}) {
    for await (const name of this.list(options)) if (name.id === id) yield name
  }

  async readRange(key: string, offset: number, length: number, identity?: string) {
    const { bytes, stat } = (await this.read(key)) ?? fail("SessionNotFoundError", { ref: key })
    if (identity !== undefined && identity !== stat.identity) fail("SessionChangedError", { key, change: "replaced" })
    return new Uint8Array(bytes.subarray(offset, offset + length))
  }

  async *artifacts() {}
  async *parts() {}

  async lease(key: string, { waitMs }: LeaseOptions) {
    const deadline = Date.now() + waitMs
    while (this.held.has(key) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
    return leaseOf(this, this.hold(key))
  }

  hold(key: string): string {
    const since = this.held.get(key)
    if (since !== undefined) fail("SessionBusyError", { key, pid: process.pid, host: "localhost", since })
    this.held.set(key, new Date().toISOString())
    return key
  }

  async read(key: string): Promise<{ bytes: Uint8Array; stat: StorageStat } | undefined> {
    const value = await this.values.get(key)
    if (!value) return undefined
    const [head, bytes] = [new TextDecoder().decode(value.subarray(0, HEAD)), value.subarray(HEAD)]
    return { bytes, stat: { size: bytes.length, modified: Number(head.slice(UUID)), identity: head.slice(0, UUID) } }
  }

  async write(key: string, bytes: Uint8Array, identity: string = crypto.randomUUID()): Promise<StorageStat> {
    const modified = Date.now()
    await this.values.set(key, Buffer.concat([Buffer.from(identity + modified), bytes]))
    return { size: bytes.length, modified, identity }
  }
}

/** While it is held no other process writes, so what was read is still there when it is written over. */
function leaseOf(storage: KeyValueStorage, key: string): Lease {
  let released = false
  const stored = (operation: string) =>
    released ? fail("StorageError", { key, operation, errno: undefined }) : storage.read(key)

  async function expected(operation: string, { identity, size }: StorageStat) {
    const now = (await stored(operation)) ?? fail("SessionChangedError", { key, change: "gone" })
    if (now.stat.identity !== identity) fail("SessionChangedError", { key, change: "replaced" })
    if (now.stat.size !== size) fail("SessionChangedError", { key, change: now.stat.size < size ? "shrunk" : "grown" })
    return now
  }

  async function keep(bytes: Uint8Array, suffix: string): Promise<string> {
    let name = key + suffix
    for (let number = 2; await storage.read(name); number++) name = `${key}${suffix}.${number}`
    await storage.write(name, bytes)
    return name
  }

  return {
    get key() {
      return key
    },
    async create(chunks) {
      const bytes = await gather(chunks)
      if (await stored("create")) fail("SessionExistsError", { key })
      return storage.write(key, bytes)
    },
    async append(bytes, stat) {
      const before = await expected("append", stat)
      return storage.write(key, Buffer.concat([before.bytes, bytes]), stat.identity)
    },
    async replace(chunks, { expected: stat, keepAs }) {
      const bytes = await gather(chunks)
      const before = await expected("replace", stat)
      const kept = keepAs === undefined ? {} : { kept: await keep(before.bytes, keepAs) }
      return { stat: await storage.write(key, bytes), ...kept }
    },
    async move(to) {
      const { bytes, stat } = (await stored("move")) ?? fail("SessionNotFoundError", { ref: key })
      if (await storage.read(to)) fail("SessionExistsError", { key: to })
      storage.hold(to)
      await storage.write(to, bytes, stat.identity)
      await storage.values.delete(key)
      storage.held.delete(key)
      key = to
    },
    async remove() {
      await stored("remove")
      await storage.values.delete(key)
    },
    async sync() {
      await stored("sync")
    },
    async release() {
      if (!released) storage.held.delete(key)
      released = true
    },
  }
}

async function gather(chunks: Chunks): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return Buffer.concat(pieces)
}

function fail<Code extends TreelogErrorCode>(code: Code, data: TreelogError<Code>["data"]): never {
  throw new TreelogError(code, `${code}: ${JSON.stringify(data)}`, data)
}
