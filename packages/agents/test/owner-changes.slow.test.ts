import { applyChanges, journalsIn, undoChanges } from "@treelog-internal/agent-files/owner"
import { nodeFs } from "@treelog-internal/agent-files/write"
import { forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, test } from "vitest"
import { ownedFiles } from "./owned-files.js"

describe("changes of an agent's files that are interrupted", () => {
  test("Killed at any call, all is as before, or as it was to be, or the journal makes it as before.", async () => {
    const faults = await forEachFault(["crash"], async ({ inject }) => {
      const { changes, state, options } = ownedFiles()
      const before = state()
      const faulty = inject(nodeFs)
      faulty.arm()
      const [outcome] = await Promise.allSettled([applyChanges({ ...options, fs: faulty.fs }, "relocate", changes)])
      const [journal] = await journalsIn(nodeFs, options.journals)
      if (outcome.status === "fulfilled") expect(journal?.state).toBe("done")
      if (journal) expect(await undoChanges(options, journal)).toEqual([])
      expect(state()).toEqual(before)
    })
    expect(faults).toBeGreaterThan(20)
  })

  test("Where a call fails, all is as before, or what is not is named; killed while undoing, it can be undone again.", async () => {
    await forEachFault(["EIO", "ENOSPC"], async ({ inject }) => {
      const { changes, state, options } = ownedFiles()
      const before = state()
      const faulty = inject(nodeFs)
      faulty.arm()
      await Promise.allSettled([applyChanges({ ...options, fs: faulty.fs }, "relocate", changes)])
      faulty.disarm()
      for (const journal of await journalsIn(nodeFs, options.journals)) await undoChanges(options, journal)
      expect(state()).toEqual(before)
    })
    await forEachFault(["crash"], async ({ inject }) => {
      const { changes, state, options } = ownedFiles()
      const before = state()
      const journal = await applyChanges(options, "relocate", changes)
      const faulty = inject(nodeFs)
      faulty.arm()
      await Promise.allSettled([undoChanges({ ...options, fs: faulty.fs }, journal)])
      const [left] = await journalsIn(nodeFs, options.journals)
      if (left) expect(await undoChanges(options, left)).toEqual([])
      expect(state()).toEqual(before)
    })
  })
})
