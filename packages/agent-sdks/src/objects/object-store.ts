import type { SessionStorage } from "@treelog/session-core"
import { HeldObject } from "./held-object.js"
import { assertPart, type ObjectName, sessionPlaceOf } from "./object-name.js"
import { ObjectReader } from "./object-reader.js"

const WAIT_MS = 30_000

/** Where an adapter keeps its objects. */
export interface ObjectStoreOptions {
  /** Any storage of treelog, preferably one without sessions of treelog, whose lists would have the objects too. */
  readonly storage: SessionStorage
  /** Nothing else in the storage may use the same prefix. */
  readonly prefix?: string | undefined
  /** How long a change waits for another writer of the same object. Milliseconds; 30 seconds by default. */
  readonly waitMs?: number | undefined
}

/** The objects of an adapter, which it can read and change. */
export class ObjectStore extends ObjectReader {
  readonly prefix: string
  readonly #storage: SessionStorage
  readonly #waitMs: number
  /** The last change of each object that is being changed, so that changes of this process happen in the order of the calls. */
  readonly #changes = new Map<string, Promise<unknown>>()

  /** @throws InvalidArgumentError for an invalid prefix */
  constructor({ storage, prefix, waitMs = WAIT_MS }: ObjectStoreOptions, defaultPrefix: string) {
    super(storage)
    this.prefix = prefix ?? defaultPrefix
    assertPart("prefix", this.prefix)
    this.#storage = storage
    this.#waitMs = waitMs
  }

  /**
   * Runs `work` while no other writer can change the object, after the changes of it that were begun earlier.
   * @throws SessionBusyError, StorageError
   */
  change<T>(name: ObjectName, work: (object: HeldObject) => Promise<T>): Promise<T> {
    const text = JSON.stringify(name)
    const earlier = this.#changes.get(text)
    const change = Promise.allSettled([earlier]).then(() => this.#change(name, work))
    const settled = Promise.allSettled([change]).then(() => {
      if (this.#changes.get(text) === settled) this.#changes.delete(text)
    })
    this.#changes.set(text, settled)
    return change
  }

  /**
   * Moves an object to another name, in place of what is stored there. After a crash both may exist.
   * @throws SessionBusyError, StorageError
   */
  async move(from: ObjectName, to: ObjectName): Promise<void> {
    // Always in the same order, so that no two moves wait for each other.
    const isForward = JSON.stringify(from) < JSON.stringify(to)
    const [first, second] = isForward ? [from, to] : [to, from]
    await this.change(first, (one) =>
      this.change(second, async (other) => {
        const [source, target] = isForward ? [one, other] : [other, one]
        const found = await this.read(from)
        if (!found) return
        await target.write(found.content, found.object)
        await source.remove()
      }),
    )
  }

  async #change<T>(name: ObjectName, work: (object: HeldObject) => Promise<T>): Promise<T> {
    const key = this.#storage.keyFor(await sessionPlaceOf(name))
    const lease = await this.#storage.lease(key, { access: "shared", waitMs: this.#waitMs })
    try {
      return await work(new HeldObject(this, this.#storage, lease, name))
    } finally {
      await lease.release()
    }
  }
}
