import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Child, startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { managerIn, say, soundness } from "../store.js"

/** Several processes compact one shared session in the same moment, again and again. */
export const twoCompactions: FaultTest = {
  name: "two-compactions",
  promise: "Of compactions that processes make of a session that they share in the same moment, one lands.",
  counts: { short: 4, long: 300 },
  async run({ count, folder, program, progress, findings }) {
    const manager = managerIn(folder)
    const first = await manager.create("/torture", { persist: "create", id: "compacted" })
    const key = first.getSessionFile() ?? ""
    await first.close()
    const signals = join(folder, "signals")
    await mkdir(signals)
    const children = ["a", "b", "c"].map(() =>
      startChild(program("compact-shared"), [signals, folder, key, String(count)]),
    )
    for (let round = 0; round < count; round++) {
      const session = await manager.open(key)
      for (const text of ["What is to be summarized.", "What is kept."]) say(session, text)
      await session.close()
      await writeFile(join(signals, `begin-${round}`), "")
      await Promise.all(children.map((child) => linesOf(child, 2 * round + 1)))
      await writeFile(join(signals, `go-${round}`), "")
      await Promise.all(children.map((child) => linesOf(child, 2 * round + 2)))
      const outcomes = children.map(({ lines }) => lines[2 * round + 1])
      for (const outcome of outcomes) findings.count(outcome ?? "nothing said")
      const landed = outcomes.filter((outcome) => outcome === "compacted").length
      findings.expect(landed === 1, () => `${landed} compactions landed in round ${round}`)
      progress(round)
    }
    await Promise.all(children.map((child) => child.done()))
    const found = await soundness(manager, key)
    findings.expectStored("all", found, [])
    const stored = found.entries.filter(({ type }) => type === "compaction").length
    findings.expect(stored === count, () => `${stored} compactions are stored instead of ${count}`)
  },
}

async function linesOf(child: Child, lines: number): Promise<void> {
  while (child.lines.length < lines) {
    if (child.process.exitCode !== null) throw new Error(`A process ended with ${child.process.exitCode}.`)
    await child.nextLine()
  }
}
