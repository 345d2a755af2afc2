import { join } from "node:path"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import { expect, it } from "vitest"
import { textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

// Made up, and put together here so that it does not look like a secret itself.
const SECRET = `token ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"} please`

it("is asked by default, and not where `secrets` is false", async () => {
  const folder = tempFolder()
  const careful = new SqlitePromptHistory({ path: join(folder, "careful.db") })
  careful.add(SECRET)
  careful.add("fine")
  await careful.import([{ text: `old ${SECRET}`, createdAt: 0 }])
  expect(await textsOf(careful.recent())).toEqual(["fine"])
  await careful.close()
  const open = new SqlitePromptHistory({ path: join(folder, "open.db"), ignore: { secrets: false } })
  open.add(SECRET)
  expect(await textsOf(open.recent())).toEqual([SECRET])
  await open.close()
})
