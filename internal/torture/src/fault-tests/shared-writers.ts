import { startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { managerIn, soundness } from "../store.js"

/** Several processes append to one session at the same time. */
export const sharedWriters: FaultTest = {
  name: "shared-writers",
  promise: "8 processes that share a session lose no entry: ids are unique, every parent is there.",
  counts: { short: 5, long: 500 },
  async run({ count, folder, program, progress, findings }) {
    const first = await managerIn(folder).create("/torture", { persist: "create", id: "shared" })
    await first.close()
    const key = first.getSessionFile() ?? ""
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"]
    const children = names.map((name) => startChild(program("append-shared"), [folder, key, String(count), name]))
    await Promise.all(children.map((child) => child.done()))
    const acknowledged = children.flatMap(({ lines }) => lines)
    const ids = findings.expectStored("all", await soundness(managerIn(folder), key), acknowledged)
    findings.expect(
      ids.length === names.length * count,
      () => `${ids.length} entries instead of ${names.length * count}`,
    )
    progress(count)
    return names.length * count
  },
}
