// A file of its own, since most of what the core has is behind it: what only lists or searches does not load it.
export { SessionManager } from "@treelog/session-core"
