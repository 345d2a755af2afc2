import { abortController } from "../platform.js"
import { bytes } from "./bytes.js"
import type { Fixture } from "./fixture.js"
import { where } from "./fixture.js"
import { endsAtOnce, Watching } from "./watching.js"

export const watchTests = where("watch", {
  "reports an append": async (fixture) => {
    const { key, lease, stat } = await fixture.session("one\n")
    await watch(fixture, key, async (watching) => {
      await watching.reports("an append", () => lease.append(bytes("two\n"), stat))
    })
  },

  "reports a replacement, and what is appended after it": async (fixture) => {
    const { key, lease, stat } = await fixture.session("one\n")
    let expected = stat
    await watch(fixture, key, async (watching) => {
      await watching.reports("a replacement", async () => {
        expected = (await lease.replace([bytes("1\n")], { expected })).stat
      })
      await watching.reports("an append to it", () => lease.append(bytes("2\n"), expected))
    })
  },

  "reports the removal": async (fixture) => {
    const { key, lease } = await fixture.session("one\n")
    await watch(fixture, key, (watching) => watching.reports("the removal", () => lease.remove()))
  },

  "reports a session that is created": async (fixture) => {
    const lease = await fixture.lease()
    await watch(fixture, lease.key, (watching) =>
      watching.reports("the first bytes", () => lease.create([bytes("1\n")])),
    )
  },

  "yields at the start, and ends at once when the loop is left": async (fixture) => {
    const { key } = await fixture.session("one\n")
    await endsAtOnce("a loop that is left", async () => {
      for await (const _ of fixture.storage.watch?.(key, abortController().signal) ?? []) break
    })
  },

  "ends when its signal is aborted, before or after it began": async (fixture) => {
    const { key } = await fixture.session("one\n")
    await new Watching(fixture.storage, key).end()
    await watch(fixture, key, (watching) => watching.settled())
  },
})

async function watch({ storage }: Fixture, key: string, body: (watching: Watching) => Promise<void>): Promise<void> {
  const watching = new Watching(storage, key)
  try {
    await body(watching)
  } finally {
    await watching.end()
  }
}
