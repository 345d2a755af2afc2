// Sessions without promises, on a storage that writes without them: for programs whose own interface is synchronous.

export { createSync, forkSync, openSync } from "./session/sync-sessions.js"
