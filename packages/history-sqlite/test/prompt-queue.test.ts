import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PromptQueue } from "./door.js"

const RUNS = { numRuns: tries(150) }

type Step = "add" | "flush" | "read"

/** A queue whose every wait is settled by the scheduler, in any order. */
function scheduledQueue(s: fc.Scheduler, fails: readonly boolean[]) {
  const stored: string[] = []
  const reported: unknown[] = []
  const faults = [...fails]
  const queue = new PromptQueue({
    clock: { now: () => 0 },
    rules: {},
    store: async (prompts) => {
      await s.schedule(Promise.resolve(), "begin to store")
      if (faults.shift()) throw new Error("disk full")
      stored.push(...prompts.map(({ text }) => text))
      await s.schedule(Promise.resolve(), "end of storing")
    },
    onError: (error) => reported.push(error),
    defer: (work) => void s.schedule(Promise.resolve(), "defer").then(work),
  })
  return { queue, stored, reported }
}

/** Runs each step when the scheduler gets to it. Added texts are put behind those in `added`. */
async function run(
  s: fc.Scheduler,
  queue: PromptQueue,
  steps: readonly Step[],
  added: string[] = [],
): Promise<string[]> {
  const perform: Record<Step, () => unknown> = {
    add: () => queue.add(`prompt ${added.push(`prompt ${added.length}`) - 1}`),
    // What it rejects with is checked by `lastError`.
    flush: () => queue.flush().catch(() => "failed"),
    read: () => queue.flushToRead(),
  }
  // Not awaited: a step may wait for others, which the scheduler would not run meanwhile.
  const builders = steps.map((step) => ({ label: step, builder: async () => void perform[step]() }))
  s.scheduleSequence(builders)
  await s.waitIdle()
  return added
}

const steps = fc.array(fc.constantFrom<Step>("add", "add", "add", "flush", "read"), { minLength: 1, maxLength: 8 })

describe("a queue of prompts", () => {
  it("stores every prompt once, in order, without a flush, in whatever order things settle", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, async (s, program) => {
        const { queue, stored, reported } = scheduledQueue(s, [])
        const added = await run(s, queue, program)
        expect(stored).toEqual(added)
        expect([queue.lastError, reported]).toEqual([undefined, []])
      }),
      RUNS,
    )
  })

  it("reports a write that failed until the next one stores its prompts, too, each once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, fc.array(fc.boolean(), { maxLength: 4 }), async (s, program, fails) => {
        const { queue, stored } = scheduledQueue(s, fails)
        const added = await run(s, queue, program)
        expect(stored).toEqual(added.slice(0, stored.length))
        expect(queue.lastError === undefined).toBe(stored.length === added.length)
        for (const _ of [...fails, "one more"]) await run(s, queue, ["add"], added)
        expect([queue.lastError, stored]).toEqual([undefined, added])
      }),
      RUNS,
    )
  })

  it("ends with what was added before it was closed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, fc.boolean(), async (s, program, failsLast) => {
        const { queue, stored, reported } = scheduledQueue(s, failsLast ? Array(20).fill(true) : [])
        const added = await run(s, queue, program)
        queue.add("last")
        const closed = queue.close().then(
          () => "closed",
          () => "failed",
        )
        queue.add("too late")
        await s.waitIdle()
        expect(await closed).toBe(failsLast ? "failed" : "closed")
        expect(stored).toEqual(failsLast ? [] : [...added, "last"])
        const errors = reported.length
        queue.add("far too late")
        await s.waitIdle()
        expect(reported).toHaveLength(errors)
        await expect(queue.flush()).rejects.toMatchObject({ code: "HistoryUnavailableError" })
        await expect(queue.flushToRead()).rejects.toMatchObject({ code: "HistoryUnavailableError" })
      }),
      RUNS,
    )
  })
})
