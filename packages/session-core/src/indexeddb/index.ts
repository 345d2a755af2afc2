// Sessions kept in a browser's own database. A subpath of its own: what does not need it never loads it.
export { IndexedDbSessionStorage, type IndexedDbSessionStorageOptions } from "./indexeddb-session-storage.js"
