import { bytes, count, described, document, either, failure, list, object, path, text } from "../../define/document.js"

const indexStatus = document({
  store: described(text, "The folder of the store, or its address without a password."),
  path,
  bytes,
  sessions: count,
  entries: described(count, "That have a text, a usage or a file."),
  texts: count,
  sqlite: described(text, "The SQLite that is used, with its version."),
})

const indexUpdate = document({
  path,
  sessions: described(count, "That are up to date."),
  read: described(count, "Sessions of which something was read."),
  removed: described(count, "Sessions that are gone."),
  bytes: described(bytes, "Bytes that were read."),
  unreadable: list(object(failure)),
  foreign: described(list(text), "Paths of files, and folders, that are no sessions: empty, or of another program."),
})

/** What `treelog index --json` prints. */
export const documents = either(indexStatus, indexUpdate)
