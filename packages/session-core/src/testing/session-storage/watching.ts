import type { SessionStorage } from "../../ports/session-storage.js"
import { equal, ok } from "../assert.js"
import { sleep } from "../platform.js"

/** A platform may report changes late, and may need some time to start watching. */
const DEADLINE_MS = 10_000
const SETTLED_MS = 150

interface Watching {
  /** Asserts that the watch reports the change, after it has settled. */
  reports(what: string, change: () => Promise<unknown>): Promise<void>
  /** Resolves when the watch has probably started and reported all earlier changes. */
  settled(): Promise<void>
}

/** Watches a key during the body, then aborts, and asserts that the watch ends without an error. */
export async function watching(
  storage: SessionStorage,
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
export async function endsAtOnce(what: string, work: () => Promise<void>): Promise<void> {
  let ended = false
  const end = work().then(() => {
    ended = true
  })
  const start = Date.now()
  while (!ended && Date.now() - start < DEADLINE_MS) await Promise.race([end, sleep(5)])
  ok(ended, `${what} ends`)
}
