// app/api/[...path]/route.ts of a Next site: the sessions that page.ts lists.

import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { createSessionRoutes } from "@treelog/viewer/routes"

const storage = new MemorySessionStorage() // or one that lasts, such as PostgresSessionStorage
export const sessions = new SessionManager({ storage })

const routes = createSessionRoutes({
  sessions,
  index: new MemorySessionIndex(storage),
  base: "/api",
  authorize: (request) => (request.headers.get("cookie")?.includes("user=ada") ? {} : undefined),
})

export async function GET(request: Request): Promise<Response> {
  return (await routes(request)) ?? new Response("Not found", { status: 404 })
}
