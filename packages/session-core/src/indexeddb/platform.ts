// The globals of a browser that this storage uses beyond those of the core (platform.d.ts): databases, locks across tabs, messages
// between tabs, timers. Declared only here, so that the rest of the core cannot use them.

export interface Request<T> {
  readonly result: T
  readonly error: unknown
  onsuccess: (() => void) | null
  onerror: (() => void) | null
}

export interface OpenRequest extends Request<Database> {
  onupgradeneeded: (() => void) | null
}

export interface Database {
  createObjectStore(name: string): unknown
  transaction(stores: readonly string[], mode: "readonly" | "readwrite", options: { durability: "strict" }): Transaction
  close(): void
  onversionchange: (() => void) | null
}

export interface Transaction {
  readonly error: unknown
  objectStore(name: string): ObjectStore
  abort(): void
  oncomplete: (() => void) | null
  onabort: (() => void) | null
}

export interface ObjectStore {
  get(key: Key): Request<unknown>
  getAll(range?: KeyRange): Request<unknown[]>
  getAllKeys(range?: KeyRange): Request<Key[]>
  put(value: unknown, key: Key): Request<unknown>
  delete(key: Key | KeyRange): Request<unknown>
  openKeyCursor(range: KeyRange, direction: "prev"): Request<{ readonly key: Key } | null>
}

export type Key = string | readonly (string | number)[]

export interface KeyRange {
  readonly lower: unknown
}

export interface Lock {
  readonly name: string
}

interface LockOptions {
  readonly ifAvailable?: boolean
  readonly signal?: AbortSignal
}

export interface Channel {
  postMessage(message: string): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  close(): void
}

export interface Platform {
  readonly indexedDB: { open(name: string, version: number): OpenRequest }
  readonly IDBKeyRange: { bound(from: Key, to: Key): KeyRange }
  readonly BroadcastChannel: { new (name: string): Channel }
  readonly navigator: {
    readonly locks: {
      request(name: string, options: LockOptions, held: (lock: Lock | null) => Promise<void>): Promise<unknown>
      query(): Promise<{ readonly held: readonly Lock[] }>
    }
  }
  setTimeout(callback: () => void, ms: number): number
  clearTimeout(timer: number): void
}

/** A function, so that importing this module does not fail where these globals are missing. */
export const browser = (): Platform => globalThis as unknown as Platform
