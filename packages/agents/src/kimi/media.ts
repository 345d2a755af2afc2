import { dirname, join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { parsedObject, type RecordStore, type StoreOptions, wholeFile } from "../kit.js"

/** Of media that are in files of their own, this stands in a record. */
const REFERENCE = /"blobref:([^;"]*);([\w-]+)"/g

/** Records with the media of a session in them, which are in a folder beside it. Of one that is missing the reference stays. */
export function withMedia({ fs }: Pick<StoreOptions, "fs">, store: RecordStore): RecordStore {
  return {
    ...store,
    async *records(session) {
      const loaded = (reference: string, type: string, digest: string): string => {
        try {
          return `"data:${type};base64,${wholeFile(fs, join(dirname(session.key), "blobs", digest)).bytes.toString("base64")}"`
        } catch (error) {
          if (!isTreelogError(error, "SessionNotFoundError")) throw error
          return reference
        }
      }
      for await (const record of store.records(session)) {
        const json = "value" in record ? JSON.stringify(record.value) : ""
        const value = json.includes('"blobref:') && parsedObject(json.replace(REFERENCE, loaded))
        yield value ? { ...record, value } : record
      }
    },
  }
}
