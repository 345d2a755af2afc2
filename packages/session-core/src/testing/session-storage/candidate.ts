import type { SessionStorage, StorageSupports } from "../../ports/session-storage.js"

/** A storage that is to be put to the proof. */
export interface SessionStorageCandidate {
  /** Heads the results. */
  readonly name: string
  /**
   * What the storage says of itself. Tests are registered before the first storage is made, so the suite has to be
   * told; its first test is that every storage says the same. Tests that do not apply are skipped, with the reason.
   */
  readonly supports: StorageSupports
  /** Makes a fresh, empty storage. Called once for each test. */
  setup(): Promise<SessionStorageSetup>
  /** The folder that the suite's sessions belong to, where `/home/user/project` will not do. */
  readonly cwd?: string
}

/** One fresh storage, and what the suite cannot do through the port. */
export interface SessionStorageSetup {
  readonly storage: SessionStorage
  /** A second, independent storage over the same data and for the same terminal. Needed where `durable` or `processes`. */
  reopen?(): Promise<SessionStorage>
  /** Writes and reads the companions of a session. Needed where `artifacts`. */
  readonly companions?: Companions
  /** Called after each test, when the suite's leases are released. */
  teardown(): Promise<void>
}

/** Companions of a session (artifacts), by a plain file name. */
export interface Companions {
  write(key: string, name: string, bytes: Uint8Array): Promise<void>
  /** Undefined when there is none of that name. */
  read(key: string, name: string): Promise<Uint8Array | undefined>
}
