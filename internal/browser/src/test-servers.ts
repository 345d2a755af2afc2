import { MemoryBlobStore, type SessionStorage } from "@treelog/session-core"
import { type ServedPage, type ServedSessions, type ServeOptions, serveSession, serveStores } from "@treelog/viewer"
import { onTestFinished } from "vitest"
import { builtPage } from "./built-page.js"
import { libraryOfStores, type SampleStore } from "./sample-stores.js"

const token = "a-token-for-the-tests"

/** Closes a server when the test that started it has finished. */
export function closedAfterTest<Server extends { close(): Promise<void> }>(server: Server): Server {
  onTestFinished(() => server.close())
  return server
}

/** Serves a session in the viewer until the test has finished. */
export async function serveForTest(
  { storage, key }: { readonly storage: SessionStorage; readonly key: string },
  options: Partial<ServeOptions> = {},
): Promise<ServedPage> {
  const { html: page } = await builtPage()
  const blobs = new MemoryBlobStore()
  const names = { title: "A session", fileName: "session.jsonl" }
  return closedAfterTest(await serveSession({ storage, key, blobs, token, port: 0, page, ...names, ...options }))
}

/** Serves the page of all sessions of some stores until the test has finished. */
export async function serveStoresForTest(served: readonly SampleStore[] | ServedSessions): Promise<ServedPage> {
  const { html: page } = await builtPage()
  const sessions = "sources" in served ? served : libraryOfStores(served)
  return closedAfterTest(await serveStores({ sessions, token, port: 0, page }))
}
