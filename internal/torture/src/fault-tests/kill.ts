import { join } from "node:path"
import { Random } from "@treelog-internal/test-kit/generator"
import { sleep, startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { expectNextWriter } from "../next-writer.js"
import { managerIn } from "../store.js"

/** Kills a writer without a chance to tidy up. */
export const kill: FaultTest = {
  name: "kill",
  promise:
    "A writer killed with SIGKILL at any moment leaves every entry that a flush acknowledged, or an append that writes through; the next one continues at once.",
  counts: { short: 4, long: 1_000 },
  async run({ count, seed, folder, program, progress, findings }) {
    const random = new Random(seed)
    for (let tried = 0; tried < count; tried++) {
      const store = join(folder, `store-${tried}`)
      const key = join(store, "sessions", "--torture--", `2026-03-02T09-00-00-000Z_run-${tried}.jsonl`)
      const size = String(random.pick([100, 4_000, 200_000]))
      const access = tried % 4 === 1 ? "shared" : "exclusive"
      const child = startChild(program(tried % 2 === 0 ? "append-and-log" : "append-through"), [
        store,
        key,
        size,
        access,
      ])
      await child.nextLine()
      await sleep(random.next() * 30)
      await child.kill()
      const what = `run ${tried}`
      await expectNextWriter(findings, managerIn(store), key, {
        lines: child.lines,
        what,
        access: "exclusive",
        tears: true,
      })
      progress(tried + 1)
    }
  },
}
