import { readFile } from "node:fs/promises"
import { inflateSession, slimSession, verifySession } from "@treelog/session-core/maintenance"
import { Random } from "@treelog-internal/test-kit/generator"
import { sleep, startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { picturesIn, writePictures } from "../picture-session.js"

/** Kills a process that moves images out of a session. */
export const killedSlim: FaultTest = {
  name: "killed-slim",
  promise:
    "A slim killed at any moment leaves the session as it was or slimmed, and no line that names a blob which is not whole.",
  counts: { short: 3, long: 300 },
  async run({ count, seed, folder, program, progress, findings }) {
    const random = new Random(seed)
    const longest = 1.2 * (await timeOfSlim(folder, program("slim")))
    for (let tried = 0; tried < count; tried++) {
      const path = await writePictures(folder, `run-${tried}`, 40, 3_000 + tried)
      const before = await readFile(path, "utf8")
      const child = startChild(program("slim"), [folder, path])
      await child.nextLine()
      await sleep(random.next() * longest)
      await child.kill()
      await check(path, before, `run ${tried}`)
      progress(tried + 1)
    }

    async function check(path: string, before: string, what: string): Promise<void> {
      const sessions = picturesIn(folder)
      const after = await readFile(path, "utf8")
      findings.count(after === before ? "killed before the rewrite" : "killed after it")
      const { diagnostics } = await verifySession(sessions, path)
      findings.expect(diagnostics.length === 0, () => `${what}: ${diagnostics[0]?.message}`)
      await slimSession(sessions, path)
      await inflateSession(sessions, path)
      findings.expect((await readFile(path, "utf8")) === before, () => `${what}: inflated, it is not what it was`)
    }
  },
}

/** How long a whole slim takes here, in milliseconds. */
async function timeOfSlim(folder: string, program: string): Promise<number> {
  const path = await writePictures(folder, "timed", 40, 2_999)
  const child = startChild(program, [folder, path])
  await child.nextLine()
  const begun = performance.now()
  await child.done()
  return performance.now() - begun
}
