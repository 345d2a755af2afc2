// pi's SessionManager on treelog.

export { createPiSessions, type PiSessions, type PiSessionsOptions } from "./hosted.js"
export { type Durable, SessionManager, type SessionManagerStatics } from "./pi-types.js"
