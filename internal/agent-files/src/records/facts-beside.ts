import type { SourceSession } from "../agent-source.js"
import type { Json } from "../json.js"
import { FileFacts } from "./file-facts.js"
import type { RecordStore, StoreOptions } from "./record-store.js"

/** What files beside a session say of it. */
export interface FactsBeside {
  readonly cwd?: string | undefined
  /** Plain JSON. */
  readonly facts?: Json | undefined
}

/**
 * The sessions of a store, each with what files beside it say: its folder, and other facts for its converter.
 * @throws StorageError
 */
export function withFacts(
  options: Pick<StoreOptions, "fs" | "notes">,
  store: RecordStore,
  factsOf: (session: SourceSession, files: FileFacts) => Promise<FactsBeside>,
): RecordStore {
  const files = new FileFacts(options)

  async function withOwn(session: SourceSession): Promise<SourceSession> {
    const { cwd, facts } = session.error ? ({} as FactsBeside) : await factsOf(session, files)
    const version = [session.version, cwd, facts && JSON.stringify(facts)].filter((one) => one !== undefined).join(" ")
    return { ...session, version, ...(cwd !== undefined && { cwd }), ...(facts && { facts }) }
  }

  return {
    ...store,
    async *list(filter) {
      for await (const sessions of store.list(filter)) {
        const found: SourceSession[] = []
        for (const session of sessions) found.push(await withOwn(session))
        yield found
      }
    },
    async find(key) {
      const session = await store.find(key)
      return session && withOwn(session)
    },
  }
}
