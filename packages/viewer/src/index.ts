export { type ExportPageOptions, exportPage } from "./deliver/export-page.js"
export type { ServedIndex, ServeOptions } from "./deliver/serve/serve-options.js"
export { type ServedSession, serveSession } from "./deliver/serve/serve-session.js"
export { viewerPage } from "./deliver/viewer-page.js"
