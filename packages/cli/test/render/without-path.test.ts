import { expect, test } from "vitest"
import { withoutPath } from "../door.js"

test.each([
  ["The database /a/b.db cannot be used: locked", "The database cannot be used: locked"],
  ["/a/b.db is not a session", "the file is not a session"],
  ["Could not read /a/b.db: EACCES", "Could not read the file: EACCES"],
  ["The header of /a/b.db is damaged", "The header of the file is damaged"],
  ["nothing", "nothing"],
  ["EACCES: permission denied, open '/a/b.db'", "EACCES: permission denied, open the file"],
  ["/a/b.db-wal is not a database but a pipe.", "/a/b.db-wal is not a database but a pipe."],
])("%s is shown as %s beside its path", (message, shown) => {
  expect(withoutPath(message, "/a/b.db")).toBe(shown)
})
