import type { SqlitePromptHistory } from "@treelog/history-sqlite"
import { TEST_START } from "@treelog-internal/test-kit"
import { PROJECT } from "./agent-store.js"

/** Adds and imports a few prompts, and deletes one of them. */
export async function writeHistory(history: SqlitePromptHistory): Promise<void> {
  history.add("Add a discount code field", { cwd: PROJECT, sessionId: "01950000-0000-7000-8000-000000000001" })
  history.add("Two tests fail: flaky?", { cwd: PROJECT })
  history.add("割引コードを追加して", { cwd: `${PROJECT}-2` })
  await history.flush()
  const past = TEST_START - 86_400_000
  await history.import([
    { text: "The café of yesterday", createdAt: past, cwd: PROJECT },
    { text: "To be forgotten", createdAt: past + 1000 },
    { text: "Two tests fail: flaky?", createdAt: past + 2000, cwd: PROJECT },
  ])
  await history.delete({ query: "forgotten" })
  await history.close()
}
