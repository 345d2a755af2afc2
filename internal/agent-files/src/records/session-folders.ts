import type { SourceSession } from "../agent-source.js"
import { FileFacts } from "./file-facts.js"
import type { RecordStore, StoreOptions } from "./record-store.js"

/**
 * The sessions of a store, each with the folder that a file beside it names.
 * @param folderOf undefined where no file names one @throws StorageError
 */
export function withFolders(
  { fs }: Pick<StoreOptions, "fs">,
  store: RecordStore,
  folderOf: (session: SourceSession, facts: FileFacts) => Promise<string | undefined>,
): RecordStore {
  const facts = new FileFacts(fs)

  async function withFolder(session: SourceSession): Promise<SourceSession> {
    const cwd = session.error ? undefined : await folderOf(session, facts)
    return cwd === undefined ? session : { ...session, cwd, version: `${session.version} ${cwd}` }
  }

  return {
    ...store,
    async *list(filter) {
      for await (const sessions of store.list(filter)) {
        const found: SourceSession[] = []
        for (const session of sessions) found.push(await withFolder(session))
        yield found
      }
    },
    async find(key) {
      const session = await store.find(key)
      return session && withFolder(session)
    },
    useNotes(notes) {
      store.useNotes?.(notes)
      facts.useNotes(notes)
    },
  }
}
