import type { SessionSource } from "../../ports/session-source.js"
import { equal, ok } from "../assert.js"
import { sleep } from "../platform.js"
import { where } from "./fixture.js"
import { bytes } from "./samples.js"

/** A platform may report changes late, and may need some time to start watching. */
const DEADLINE_MS = 60_000
const SETTLED_MS = 150

export interface Watching {
  /** Asserts that the watch reports the change, after it has settled. */
  reports(what: string, change: () => Promise<unknown>): Promise<void>
  /** Resolves when the watch has probably started and reported all earlier changes. */
  settled(): Promise<void>
}

/** Watches a key during the body, then aborts, and asserts that the watch ends without an error. */
export async function watching(
  storage: SessionSource,
  key: string,
  body: (watching: Watching) => Promise<void>,
): Promise<void> {
  const controller = new AbortController()
  let reported = 0
  const count = async () => {
    for await (const _ of storage.watch?.(key, controller.signal) ?? []) reported++
  }
  const ended = Promise.allSettled([count()])
  async function settled(): Promise<void> {
    for (let before = -1; before !== reported; ) {
      before = reported
      await sleep(SETTLED_MS)
    }
  }
  async function reports(what: string, change: () => Promise<unknown>): Promise<void> {
    await settled()
    const before = reported
    await change()
    const start = Date.now()
    while (reported === before && Date.now() - start < DEADLINE_MS) await sleep(5)
    ok(reported > before, `the watch reports ${what}`)
  }
  try {
    await body({ reports, settled })
  } finally {
    controller.abort()
    equal(await ended, [{ status: "fulfilled", value: undefined }], "the end of the watch")
  }
}

/** Asserts that something ends instead of waiting for a change that never comes. */
async function endsAtOnce(what: string, work: () => Promise<void>): Promise<void> {
  let ended = false
  const end = work().then(() => {
    ended = true
  })
  const start = Date.now()
  while (!ended && Date.now() - start < DEADLINE_MS) await Promise.race([end, sleep(5)])
  ok(ended, `${what} ends`)
}

export const watchTests = where("watch", {
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
