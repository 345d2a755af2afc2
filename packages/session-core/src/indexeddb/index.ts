// Sessions in a browser's database. A separate entry point, so that it is loaded only where it is used.
export { IndexedDbSessionStorage, type IndexedDbSessionStorageOptions } from "./indexeddb-session-storage.js"
