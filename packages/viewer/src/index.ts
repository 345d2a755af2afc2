export { type ExportPageOptions, exportPage } from "./deliver/export-page.js"
export { type ServedSession, serveSession } from "./deliver/serve/serve-session.js"
export type { ServeOptions } from "./deliver/serve/served.js"
export { viewerPage } from "./deliver/viewer-page.js"
