import { equal, failsWith } from "../assert.js"
import { type Tests, where } from "./fixture.js"
import { bytes } from "./samples.js"

export const reopenTests: Tests = {
  ...where("durable", {
    "holds what was written and synced": async ({ storage, session, reopen, holds }) => {
      const { key, lease, stat } = await session("one\n")
      const appended = await lease.append(bytes("two\n"), stat)
      await lease.sync()
      const second = await reopen()
      await holds(key, "one\ntwo\n", second)
      equal((await second.stat(key))?.identity, appended.identity, "the identity")
      equal(storage.keyFromRef(key), second.keyFromRef(key), "the key that a key refers to")
    },

    "holds what was replaced, and what was kept": async ({ session, reopen, holds }) => {
      const { key, lease, stat } = await session("old\n")
      await lease.replace([bytes("new\n")], { expected: stat, keepAs: ".bak" })
      const second = await reopen()
      await holds(key, "new\n", second)
      await holds(`${key}.bak`, "old\n", second)
    },

    "notices what the first one does later": async ({ session, reopen, lease, holds }) => {
      const second = await reopen()
      const { key, lease: first, stat } = await session("one\n")
      await holds(key, "one\n", second)
      await first.append(bytes("two\n"), stat)
      await first.release()
      const writer = await lease(key, {}, second)
      const late = writer.append(bytes("three\n"), stat)
      equal((await failsWith("SessionChangedError", late, "a late append")).data.change, "grown", "the change")
      await holds(key, "one\ntwo\n")
    },
  }),

  ...where("processes", {
    "finds a session busy that the first one holds": async ({ reopen, lease }) => {
      const holder = await lease()
      const second = await reopen()
      const taking = second.lease(holder.key, { access: "exclusive", waitMs: 0 })
      await failsWith("SessionBusyError", taking, "a lease of the second storage")
    },

    "gets the lease when the first one releases it": async ({ reopen, lease }) => {
      const holder = await lease()
      const second = await reopen()
      const waiting = lease(holder.key, { waitMs: 10_000 }, second)
      await holder.release()
      equal((await waiting).key, holder.key, "the key of the second lease")
    },
  }),
}
