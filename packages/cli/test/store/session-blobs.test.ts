import { expect, test } from "vitest"
import { blobsFolder, blobsOf, folderPlace } from "../door.js"

const BUCKET = "sessions/--home-me--"

test.each([
  ["in the store that is meant", `/store/${BUCKET}/s.jsonl`, "/store/blobs"],
  ["in its artifacts", `/store/${BUCKET}/s/agent.jsonl`, "/store/blobs"],
  ["in artifacts with a folder of that name", `/store/${BUCKET}/s/sessions/x.jsonl`, "/store/blobs"],
  ["in another store", `/other/agent/${BUCKET}/s.jsonl`, "/other/agent/blobs"],
  [
    "in another store, under a folder of that name",
    `/home/sessions/agent/${BUCKET}/s.jsonl`,
    "/home/sessions/agent/blobs",
  ],
  ["in a store at the root", "/sessions/s.jsonl", "/blobs"],
  ["that only has the name", "/home/me/sessions", "/home/me/blobs"],
  ["in a folder whose name begins alike", "/home/sessions-2/s.jsonl", "/home/sessions-2/blobs"],
  ["in a store whose name begins alike", `/store-2/${BUCKET}/s.jsonl`, "/store-2/blobs"],
  ["anywhere else, beside it", "/home/me/s.jsonl", "/home/me/blobs"],
])("of a session %s", (_, session, folder) => {
  expect(blobsFolder(session, "/store")).toBe(folder)
})

test("what is given wins", () => {
  const session = `/store/${BUCKET}/s.jsonl`
  expect(blobsOf({ blobs: folderPlace("/given"), files: undefined }, session)?.name).toBe("/given")
})
