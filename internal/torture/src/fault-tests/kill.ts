import { join } from "node:path"
import { Random } from "@treelog-internal/test-kit/generator"
import { sleep, startChild } from "../children.js"
import { type FaultTest, Findings } from "../fault-test.js"
import { managerIn, say, soundness } from "../store.js"

/** Kills a writer without a chance to tidy up. */
export const kill: FaultTest = {
  name: "kill",
  promise:
    "A writer killed with SIGKILL at any moment leaves every entry that a flush acknowledged, or an append that writes through; the next one continues at once.",
  counts: { short: 4, long: 1_000 },
  async run({ count, seed, folder, programs, progress }) {
    const findings = new Findings()
    const random = new Random(seed)
    for (let tried = 0; tried < count; tried++) {
      const store = join(folder, `store-${tried}`)
      const key = join(store, "sessions", "--torture--", `2026-03-02T09-00-00-000Z_run-${tried}.jsonl`)
      const size = String(random.pick([100, 4_000, 200_000]))
      const access = tried % 4 === 1 ? "shared" : "exclusive"
      const child = startChild(programs.path(tried % 2 === 0 ? "append-and-log" : "append-through"), [
        store,
        key,
        size,
        access,
      ])
      await child.nextLine()
      await sleep(random.next() * 30)
      await child.kill()
      await check(key, child.lines, `run ${tried}`)
      progress(tried + 1)
    }
    return { tried: count, ...findings }

    async function check(key: string, acknowledged: readonly string[], what: string): Promise<void> {
      const manager = managerIn(join(key, "..", "..", ".."))
      const session = await manager.open(key)
      const ids = new Set(session.getEntries().map(({ id }) => id))
      const lost = acknowledged.filter((id) => !ids.has(id))
      findings.expect(
        lost.length === 0,
        () => `${what}: ${lost.length} of ${acknowledged.length} acknowledged entries are lost`,
      )
      const leaf = session.getLeafId()
      const next = say(session, "after the kill")
      await session.close()
      const { entries } = await soundness(manager, key)
      findings.expect(
        entries.at(-1)?.id === next && entries.at(-1)?.parentId === leaf,
        () => `${what}: the next append went astray`,
      )
      findings.expect(
        new Set(entries.map(({ id }) => id)).size === entries.length,
        () => `${what}: an entry is there twice`,
      )
      findings.count("entries acknowledged", acknowledged.length)
      findings.count("entries found", ids.size)
    }
  },
}
