import type { IndexProgress, IndexUpdateReport, SessionIndex } from "@treelog/session-core/search"
import { expect, test } from "vitest"
import { JointIndex } from "../src/joint-index.js"

/** An index whose update goes on when the test says so. */
class SteppedIndex implements Partial<SessionIndex> {
  onProgress: (progress: IndexProgress) => void = () => {}
  end: (report: IndexUpdateReport | Error) => void = () => {}

  update({ onProgress = () => {} }: Parameters<SessionIndex["update"]>[0] = {}): Promise<IndexUpdateReport> {
    this.onProgress = onProgress
    return new Promise((resolve, reject) => {
      this.end = (report) => (report instanceof Error ? reject(report) : resolve(report))
    })
  }
}

function updated() {
  const [a, b] = [new SteppedIndex(), new SteppedIndex()]
  const reached: IndexProgress[] = []
  const joint = new JointIndex([a, b] as unknown as SessionIndex[])
  return { a, b, reached, update: joint.update({ onProgress: (progress) => reached.push(progress) }) }
}

const REPORT = { done: 3, total: 3, bytes: 9, upToDateAfter: 0, read: 2, removed: 1, failed: [], foreign: [] }

test("indexes are brought up to date at the same time, and what is certain is so in each of them", async () => {
  const { a, b, reached, update } = updated()
  a.onProgress({ done: 1, total: 3, bytes: 5, upToDateAfter: 70 })
  b.onProgress({ done: 2, total: 4, bytes: 6, upToDateAfter: 80 })
  expect(reached).toEqual([
    { done: 1, total: 3, bytes: 5, upToDateAfter: Number.MAX_SAFE_INTEGER },
    { done: 3, total: 7, bytes: 11, upToDateAfter: 80 },
  ])
  const fault = { key: "/broken", code: "StorageError", message: "broken" }
  a.end(REPORT)
  b.end({ ...REPORT, failed: [fault] })
  expect(await update).toEqual({
    done: 6,
    total: 6,
    bytes: 18,
    upToDateAfter: 0,
    read: 4,
    removed: 2,
    failed: [fault],
    foreign: [],
  })
})

test("what one index fails with is thrown once the others have ended", async () => {
  const { a, b, update } = updated()
  a.end(new Error("No SQLite."))
  b.end(REPORT)
  await expect(update).rejects.toThrow("No SQLite.")
})
