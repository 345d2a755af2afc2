import { sessionStorageContract } from "@treelog/session-core/testing"
import { IndexedDbSessionStorage } from "@treelog/storage-indexeddb"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, it } from "./page-runner.js"

let databases = 0

sessionStorageContract(
  { describe, it },
  {
    name: "IndexedDbSessionStorage",
    example: new IndexedDbSessionStorage(),
    processes: true,
    durable: true,
    losesAnswers: true,
    setup: async () => {
      const name = `contract-${++databases}`
      const storages: IndexedDbSessionStorage[] = []
      const open = () => {
        const storage = new IndexedDbSessionStorage({ name })
        storages.push(storage)
        return storage
      }
      return {
        ...losingNextAnswer(open()),
        reopen: async () => open(),
        teardown: async () => {
          await Promise.all(storages.map((storage) => storage.close()))
          await removed(name)
        },
      }
    },
  },
)

function removed(name: string): Promise<void> {
  const removing = indexedDB.deleteDatabase(name)
  return new Promise((resolve, reject) => {
    removing.onsuccess = () => resolve()
    removing.onerror = () => reject(removing.error)
    removing.onblocked = () => reject(new Error(`Something still holds the database ${name}.`))
  })
}
