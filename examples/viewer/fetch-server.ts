// The routes of sessions in a server whose handlers take a Request: `export default` is what Bun, Deno (deno serve) and Workers call;
// in Hono it is app.get("/api/*", ({ req }) => handle(req.raw)).

import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { createSessionRoutes } from "@treelog/viewer/routes"

const storage = new MemorySessionStorage() // or one that lasts, such as PostgresSessionStorage
export const sessions = new SessionManager({ storage })

/** Who may see what: here, each team the sessions of its folder. */
const FOLDERS: Readonly<Record<string, string>> = { "token-of-shop": "/srv/shop", "token-of-lab": "/srv/lab" }

const routes = createSessionRoutes({
  sessions,
  index: new MemorySessionIndex(storage),
  base: "/api",
  authorize: ({ headers }) => {
    const cwd = FOLDERS[headers.get("authorization")?.replace("Bearer ", "") ?? ""]
    return cwd === undefined ? undefined : { cwd }
  },
})

export async function handle(request: Request): Promise<Response> {
  try {
    return (await routes(request)) ?? new Response("Not found", { status: 404 })
  } catch (error) {
    console.error(error) // a fault of the storage
    return new Response("Something is broken here", { status: 500 })
  }
}

export default { fetch: handle }
