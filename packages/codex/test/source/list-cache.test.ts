import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { nodeFs } from "@treelog-internal/fs"
import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import { afterEach, expect, it } from "vitest"
import { CodexStorage } from "../../src/index.js"
import { TestHome } from "../home.js"

const homes: TestHome[] = []
afterEach(async () => {
  for (const home of homes.splice(0)) await home.remove()
})

/** A storage, and the rollouts that it opens. */
function countingStorage(dir: string): { storage: CodexStorage; opened: string[] } {
  const opened: string[] = []
  const fs: typeof nodeFs = Object.assign(Object.create(nodeFs), {
    openSync: (...args: Parameters<typeof nodeFs.openSync>) => {
      if (String(args[0]).includes("rollout-")) opened.push(String(args[0]))
      return nodeFs.openSync(...args)
    },
  })
  return { storage: new CodexStorage({ dir, cacheDir: join(dir, "cache"), env: {}, fs }), opened }
}

async function listed(storage: CodexStorage): Promise<unknown[]> {
  const infos = []
  for await (const info of new SessionManager({ storage }).listAll({ order: "newest" })) infos.push(info)
  return infos
}

it("A list in another process opens no rollout that has not changed, compressed or not", async () => {
  const files = generateCodexHome({ seed: 5, rollouts: 12 })
  const home = await TestHome.make(files)
  homes.push(home)
  for (const { name, text } of files.slice(0, 4)) await home.compress(name, text)
  const first = countingStorage(home.dir)
  const expected = await listed(first.storage)
  expect(first.opened.length).toBeGreaterThanOrEqual(files.length)
  const second = countingStorage(home.dir)
  expect(await listed(second.storage)).toEqual(expected)
  expect(second.opened).toEqual([])
  const grown = files.at(-1)
  await home.write(grown?.name ?? "", `${grown?.text ?? ""}\n`)
  const third = countingStorage(home.dir)
  await listed(third.storage)
  // The facts of a thread are those of all its rollouts.
  expect(third.opened).toContain(join(home.dir, grown?.name ?? ""))
  expect(new Set(third.opened).size).toBeLessThan(files.length / 2)
})
