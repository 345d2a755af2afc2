import { abortController } from "../platform.js"
import { bytes } from "./bytes.js"
import type { Given } from "./given.js"
import type { Laws } from "./laws.js"
import { endsAtOnce, Watching } from "./watching.js"

export function watchLaws(laws: Laws): void {
  laws.about("watch", () => {
    laws.lawWhere("watch", "tells of an append", async (given) => {
      const { key, lease, stat } = await given.session("one\n")
      await watch(given, key, async (watching) => {
        await watching.tellsOf("an append", () => lease.append(bytes("two\n"), stat))
      })
    })

    laws.lawWhere("watch", "tells of a replacement, and of what is appended to it", async (given) => {
      const { key, lease, stat } = await given.session("one\n")
      let expected = stat
      await watch(given, key, async (watching) => {
        await watching.tellsOf("a replacement", async () => {
          expected = (await lease.replace([bytes("1\n")], { expected })).stat
        })
        await watching.tellsOf("an append to it", () => lease.append(bytes("2\n"), expected))
      })
    })

    laws.lawWhere("watch", "tells of the removal", async (given) => {
      const { key, lease } = await given.session("one\n")
      await watch(given, key, (watching) => watching.tellsOf("the removal", () => lease.remove()))
    })

    laws.lawWhere("watch", "tells of a session that is there for the first time", async (given) => {
      const lease = await given.lease()
      await watch(given, lease.key, (watching) =>
        watching.tellsOf("the first bytes", () => lease.create([bytes("1\n")])),
      )
    })

    laws.lawWhere("watch", "yields at the start, and ends at once when the loop is left", async (given) => {
      const { key } = await given.session("one\n")
      await endsAtOnce("a loop that is left", async () => {
        for await (const _ of given.storage.watch?.(key, abortController().signal) ?? []) break
      })
    })

    laws.lawWhere("watch", "ends when its signal is aborted, before or after it began", async (given) => {
      const { key } = await given.session("one\n")
      await new Watching(given.storage, key).end()
      await watch(given, key, (watching) => watching.settled())
    })
  })
}

async function watch({ storage }: Given, key: string, body: (watching: Watching) => Promise<void>): Promise<void> {
  const watching = new Watching(storage, key)
  try {
    await body(watching)
  } finally {
    await watching.end()
  }
}
