export type { SessionRoutesOptions, SessionScope } from "./deliver/routes/route-context.js"
export { createSessionRoutes } from "./deliver/routes/session-routes.js"
