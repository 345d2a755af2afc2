// Half of the core is behind it: where a list loads it, it starts 1.5 times as slowly.
export { SessionManager } from "@treelog/session-core"
