import { bytes } from "./bytes.js"
import { where } from "./fixture.js"
import { endsAtOnce, watching } from "./watching.js"

export const watchTests = where("watch", {
  "reports an append": async (fixture) => {
    const { key, lease, stat } = await fixture.session("one\n")
    await watching(fixture.storage, key, async ({ reports }) => {
      await reports("an append", () => lease.append(bytes("two\n"), stat))
    })
  },

  "reports a replacement, and what is appended after it": async (fixture) => {
    const { key, lease, stat } = await fixture.session("one\n")
    let expected = stat
    await watching(fixture.storage, key, async ({ reports }) => {
      await reports("a replacement", async () => {
        expected = (await lease.replace([bytes("1\n")], { expected })).stat
      })
      await reports("an append to it", () => lease.append(bytes("2\n"), expected))
    })
  },

  "reports the removal": async (fixture) => {
    const { key, lease } = await fixture.session("one\n")
    await watching(fixture.storage, key, ({ reports }) => reports("the removal", () => lease.remove()))
  },

  "reports a session that is created": async (fixture) => {
    const lease = await fixture.lease()
    await watching(fixture.storage, lease.key, ({ reports }) =>
      reports("the first bytes", () => lease.create([bytes("1\n")])),
    )
  },

  "yields at the start, and ends at once when the loop is left": async (fixture) => {
    const { key } = await fixture.session("one\n")
    await endsAtOnce("a loop that is left", async () => {
      for await (const _ of fixture.storage.watch?.(key, new AbortController().signal) ?? []) break
    })
  },

  "ends when its signal is aborted, before or after it began": async (fixture) => {
    const { key } = await fixture.session("one\n")
    await watching(fixture.storage, key, async () => {})
    await watching(fixture.storage, key, ({ settled }) => settled())
  },
})
