// Archives of sessions with all that belongs to them, for another machine.
export { BundleError } from "./bundle-error.js"
export { type AddedSession, BundleWriter, type BundleWriterOptions } from "./bundle-writer.js"
export { type UnbundledSession, type UnbundleOptions, unbundle } from "./unbundle.js"
