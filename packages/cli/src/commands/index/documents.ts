import { bytes, count, described, document, either, failure, list, object, path, text } from "../../define/document.js"

const indexStatus = document({
  store: described("The folder of the store, or its address without a password.", text),
  path,
  bytes,
  sessions: count,
  entries: described("That have a text, a usage or a file.", count),
  texts: count,
  sqlite: described("The SQLite that is used, with its version.", text),
})

const indexUpdate = document({
  path,
  sessions: described("That are up to date.", count),
  read: described("Sessions of which something was read.", count),
  removed: described("Sessions that are gone.", count),
  bytes: described("Bytes that were read.", bytes),
  unreadable: list(object(failure)),
  foreign: list("Paths of files, and folders, that are no sessions: empty, or of another program.", text),
})

export const documents = either(indexStatus, indexUpdate)
