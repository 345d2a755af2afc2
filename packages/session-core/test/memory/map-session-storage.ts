import { TreelogError, type TreelogErrorData } from "../../src/errors.js"
import type * as port from "../../src/ports/session-storage.js"

/** One row a session, as a table would have them. Rows that are kept aside are not listed. */
type Row = { bytes: Buffer; stat: port.StorageStat; aside: boolean }

export class MapSessionStorage implements port.SessionStorage {
  readonly supports = {
    processes: false,
    durable: false,
    watch: false,
    breadcrumbs: false,
    artifacts: false,
    syncReads: false,
  }
  readonly rows = new Map<string, Row>()
  readonly held = new Map<string, string>()

  keyFor = ({ cwd, id }: port.SessionPlace) => `map:${cwd}/${id}`
  keyFromRef = (ref: string) => (ref.startsWith("map:") ? ref : undefined)
  folderOf = (key: string) => key.slice(0, key.lastIndexOf("/"))

  async stat(key: string) {
    return this.rows.get(key)?.stat
  }

  async *list({ cwd, signal }: port.ListFilter = {}) {
    for (const [key, { aside }] of this.rows) {
      signal?.throwIfAborted()
      const folder = this.folderOf(key)
      if (!aside && (cwd === undefined || folder === `map:${cwd}`)) yield { key, id: key.slice(folder.length + 1) }
    }
  }

  async readRange(key: string, offset: number, length: number, identity?: string) {
    const row = this.rows.get(key) ?? fail("SessionNotFoundError", { ref: key })
    if (identity !== undefined && identity !== row.stat.identity)
      fail("SessionChangedError", { key, change: "replaced" })
    return new Uint8Array(row.bytes.subarray(offset, offset + length))
  }

  async lease(key: string, { waitMs }: port.LeaseOptions) {
    const deadline = Date.now() + waitMs
    while (this.held.has(key) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
    return new MapLease(this, this.hold(key))
  }

  hold(key: string): string {
    const since = this.held.get(key)
    if (since !== undefined) fail("SessionBusyError", { key, pid: process.pid, host: "localhost", since })
    this.held.set(key, new Date().toISOString())
    return key
  }

  put(key: string, bytes: Buffer, identity: string = crypto.randomUUID()): port.StorageStat {
    const stat = { size: bytes.length, modified: Date.now(), identity }
    this.rows.set(key, { bytes, stat, aside: false })
    return stat
  }
}

class MapLease implements port.Lease {
  #released = false

  constructor(
    readonly storage: MapSessionStorage,
    public key: string,
  ) {}

  async create(chunks: port.Chunks) {
    const bytes = await gather(chunks)
    if (this.#row("create") !== undefined) fail("SessionExistsError", { key: this.key })
    return this.storage.put(this.key, bytes)
  }

  async append(bytes: Uint8Array, expected: port.StorageStat) {
    const row = this.#expect("append", expected)
    return this.storage.put(this.key, Buffer.concat([row.bytes, bytes]), expected.identity)
  }

  async sync() {
    this.#row("sync")
  }

  async replace(chunks: port.Chunks, { expected, keepAs }: { expected: port.StorageStat; keepAs?: string }) {
    const bytes = await gather(chunks)
    const row = this.#expect("replace", expected)
    const kept = keepAs === undefined ? {} : { kept: this.#rename(row, keepAs) }
    return { stat: this.storage.put(this.key, bytes), ...kept }
  }

  async move(to: string) {
    const row = this.#row("move") ?? fail("SessionNotFoundError", { ref: this.key })
    if (this.storage.rows.has(to)) fail("SessionExistsError", { key: to })
    this.storage.hold(to)
    this.storage.rows.set(to, row)
    this.storage.rows.delete(this.key)
    this.storage.held.delete(this.key)
    this.key = to
  }

  async setAside(suffix: string) {
    return this.#rename(this.#row("setAside") ?? fail("SessionNotFoundError", { ref: this.key }), suffix)
  }

  async remove() {
    this.#row("remove")
    this.storage.rows.delete(this.key)
  }

  async release() {
    if (!this.#released) this.storage.held.delete(this.key)
    this.#released = true
  }

  /** What is stored now, provided that the lease still holds it. */
  #row(operation: string): Row | undefined {
    if (this.#released) fail("StorageError", { key: this.key, operation, errno: undefined })
    return this.storage.rows.get(this.key)
  }

  #expect(operation: string, { identity, size }: port.StorageStat): Row {
    const { key } = this
    const row = this.#row(operation) ?? fail("SessionChangedError", { key, change: "gone" })
    if (row.stat.identity !== identity) fail("SessionChangedError", { key, change: "replaced" })
    if (row.stat.size < size) fail("SessionChangedError", { key, change: "shrunk" })
    if (row.stat.size > size) fail("SessionChangedError", { key, change: "grown" })
    return row
  }

  #rename(row: Row, suffix: string): string {
    let name = this.key + suffix
    for (let number = 2; this.storage.rows.has(name); number++) name = `${this.key}${suffix}.${number}`
    this.storage.rows.set(name, { ...row, aside: true })
    this.storage.rows.delete(this.key)
    return name
  }
}

async function gather(chunks: port.Chunks): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return Buffer.concat(pieces)
}

function fail<Code extends keyof TreelogErrorData>(code: Code, data: TreelogErrorData[Code]): never {
  throw new TreelogError(code, `${code}: ${JSON.stringify(data)}`, data)
}
