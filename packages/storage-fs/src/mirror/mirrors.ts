import type { FsPort } from "@treelog-internal/fs"
import { Mirror } from "./mirror.js"
import { MirrorFolder } from "./mirror-folder.js"

/** So many mirrors are kept after their use: who reads a session in parts comes back. */
const RECENT = 16

/** Options of the mirrors of a storage. */
export interface MirrorOptions {
  readonly fs: FsPort
  readonly folder: string
  readonly maxBytes: number
  /** Gets faults of the folder. */
  readonly onError: (error: unknown) => void
}

/** The mirrors of a storage: one for each object that is in use, and those that were used last. */
export class Mirrors {
  readonly #folder: MirrorFolder
  readonly #onError: (error: unknown) => void
  readonly #known = new Map<string, WeakRef<Mirror>>()
  readonly #forgotten = new FinalizationRegistry<string>((name) => {
    if (!this.#known.get(name)?.deref()) this.#known.delete(name)
  })
  #recent: Mirror[] = []

  constructor({ fs, folder, maxBytes, onError }: MirrorOptions) {
    this.#folder = new MirrorFolder(fs, folder, maxBytes)
    this.#onError = onError
  }

  /** The mirror of an object, if it was read already. */
  loaded(key: string, identity: string): Mirror | undefined {
    const mirror = this.#known.get(nameOf(key, identity))?.deref()
    return mirror?.isLoaded ? mirror : undefined
  }

  /** The mirror of an object, read from the folder. The caller must `leave` it. */
  async use(key: string, identity: string): Promise<Mirror> {
    const name = nameOf(key, identity)
    let mirror = this.#known.get(name)?.deref()
    if (!mirror) {
      mirror = new Mirror(this.#folder, { key, identity }, this.#onError)
      this.#known.set(name, new WeakRef(mirror))
      this.#forgotten.register(mirror, name)
    }
    await mirror.use()
    return mirror
  }

  /** Keeps a mirror for a while, although nobody uses it. */
  remember(mirror: Mirror): void {
    this.#recent = [mirror, ...this.#recent.filter((one) => one !== mirror)].slice(0, RECENT)
  }

  /** Removes the files of a key. What is in use stays in memory. */
  async drop(key: string): Promise<void> {
    const mirrors = this.#of(key)
    // Without one, there may be what was mirrored earlier, or by another process.
    if (mirrors.length === 0) mirrors.push(new Mirror(this.#folder, { key, identity: "" }, this.#onError))
    for (const mirror of mirrors) await mirror.drop()
  }

  /** The same, and nothing of it is believed any more. */
  async forget(key: string): Promise<void> {
    const mirrors = this.#of(key)
    for (const { object } of mirrors) this.#known.delete(nameOf(key, object.identity))
    this.#recent = this.#recent.filter((one) => !mirrors.includes(one))
    for (const mirror of mirrors) await mirror.drop()
  }

  /** Removes the files of a key whose object has another key now: who uses it goes on with that. */
  async move(from: string, to: string): Promise<void> {
    const mirrors = this.#of(from)
    await this.drop(from)
    await this.drop(to)
    for (const mirror of mirrors) {
      const { identity } = mirror.object
      this.#known.delete(nameOf(from, identity))
      mirror.object = { key: to, identity }
      this.#known.set(nameOf(to, identity), new WeakRef(mirror))
      this.#forgotten.register(mirror, nameOf(to, identity))
    }
  }

  /** Resolves when what has begun is written, or could not be. */
  async settled(): Promise<void> {
    for (const reference of this.#known.values()) await reference.deref()?.settled()
  }

  #of(key: string): Mirror[] {
    const mirrors = [...this.#known.values()].map((reference) => reference.deref())
    return mirrors.filter((mirror) => mirror?.object.key === key).filter((mirror) => mirror !== undefined)
  }
}

function nameOf(key: string, identity: string): string {
  return `${key}\0${identity}`
}
