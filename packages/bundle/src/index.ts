// Archives of sessions with all that belongs to them, for another machine.
export { BundleError } from "./bundle-error.js"
export { type AddedSession, BundleWriter, type BundleWriterOptions, type SessionOrigin } from "./bundle-writer.js"
export { type UnbundledSession, type UnbundleOptions, type UnbundleTarget, unbundle } from "./unbundle.js"
