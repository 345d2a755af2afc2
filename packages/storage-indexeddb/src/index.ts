// Sessions in a browser's database.

export { IndexedDbSessionStorage, type IndexedDbSessionStorageOptions } from "./indexeddb-session-storage.js"
