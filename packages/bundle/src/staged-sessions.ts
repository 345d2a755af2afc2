import { join } from "node:path"
import type { SessionArtifact, StorageStat, StoredName } from "@treelog/session-core/adapter"
import type { CopySource } from "@treelog/session-core/maintenance"
import type { FileSessionStorage } from "@treelog/storage-fs"
import type { Manifest } from "./manifest.js"

/** The sessions of an unpacked bundle, to be copied from there. Keys are absolute paths. */
export class StagedSessions implements CopySource {
  readonly #files: FileSessionStorage
  readonly #names: readonly StoredName[]

  /** @param folder that the bundle was unpacked into. An absolute path */
  constructor(files: FileSessionStorage, folder: string, { sessions }: Manifest) {
    this.#files = files
    this.#names = sessions.map(({ path, project }) => ({ key: join(folder, path), project }))
  }

  stat(key: string): Promise<StorageStat | undefined> {
    return this.#files.stat(key)
  }

  readRange(...range: Parameters<CopySource["readRange"]>): Promise<Uint8Array> {
    return this.#files.readRange(...range)
  }

  artifacts(key: string): AsyncIterable<SessionArtifact> {
    return this.#files.artifacts(key)
  }

  async *list(): AsyncGenerator<StoredName> {
    yield* this.#names
  }

  /** Their names have no ids. */
  async *find(): AsyncGenerator<StoredName> {
    yield* this.#names
  }
}
