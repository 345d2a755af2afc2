import { join } from "node:path"
import { startChild } from "../children.js"
import { type FaultTest, Findings } from "../fault-test.js"
import { managerIn, soundness } from "../store.js"

/** Several processes append to one new session at the same time. */
export const sharedWriters: FaultTest = {
  name: "shared-writers",
  promise: "8 processes that share a session lose no entry: ids are unique, every parent is there.",
  counts: { short: 5, long: 500 },
  async run({ count, folder, programs, progress }) {
    const findings = new Findings()
    const key = join(folder, "sessions", "--torture--", "2026-03-02T09-00-00-000Z_shared.jsonl")
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"]
    const children = names.map((name) => startChild(programs.path("append-shared"), [folder, key, String(count), name]))
    await Promise.all(children.map((child) => child.done()))
    const acknowledged = children.flatMap(({ lines }) => lines)
    const { faults, entries } = await soundness(managerIn(folder), key)
    const ids = new Set(entries.map(({ id }) => id))
    findings.broken.push(...faults)
    findings.expect(
      entries.length === names.length * count,
      () => `${entries.length} entries instead of ${names.length * count}`,
    )
    findings.expect(ids.size === entries.length, () => `${entries.length - ids.size} ids are there twice`)
    findings.expect(
      acknowledged.every((id) => ids.has(id)),
      () => "an acknowledged entry is lost",
    )
    findings.count("entries", entries.length)
    progress(count)
    return { tried: names.length * count, ...findings }
  },
}
