import type { StorageStat } from "../../ports/session-source.js"
import { equal, failsWith, ok } from "../assert.js"
import { type Fixture, type Tests, where } from "./fixture.js"
import { bytes } from "./samples.js"

/** Asserts that a repeated append resolves with the new size, or finds the session grown. */
async function storesOnce(fixture: Fixture, key: string, repeated: Promise<StorageStat>): Promise<void> {
  const [outcome] = await Promise.allSettled([repeated])
  if (outcome.status === "fulfilled") equal(outcome.value.size, 8, "the size that a repeated append returns")
  else {
    const error = await failsWith("SessionChangedError", Promise.reject(outcome.reason), "a repeated append")
    equal(error.data, { key, change: "grown" }, "the data of the error")
  }
  await fixture.holds(key, "one\ntwo\n")
}

export const lostAnswerTests: Tests = where("losesAnswers", {
  "to an append: it fails, and stores the bytes, once also when the same lease repeats it": async (fixture) => {
    const { key, lease, stat } = await fixture.session("one\n")
    fixture.loseNextAnswer()
    await failsWith("StorageError", lease.append(bytes("two\n"), stat), "an append whose answer is lost")
    await fixture.holds(key, "one\ntwo\n")
    await storesOnce(fixture, key, lease.append(bytes("two\n"), stat))
  },

  "to an append: repeated by the next lease, it stores the bytes once": async (fixture) => {
    const { key, lease, stat } = await fixture.session("one\n")
    fixture.loseNextAnswer()
    await failsWith("StorageError", lease.append(bytes("two\n"), stat), "an append whose answer is lost")
    await lease.release()
    await storesOnce(fixture, key, (await fixture.lease(key)).append(bytes("two\n"), stat))
  },

  "to an append: what comes after it stays": async ({ session, loseNextAnswer, storage, lease, holds }) => {
    const { key, lease: first, stat } = await session("one\n")
    loseNextAnswer()
    await failsWith("StorageError", first.append(bytes("two\n"), stat), "an append whose answer is lost")
    await first.release()
    const grown = await storage.stat(key)
    ok(grown !== undefined, "the session is stored")
    const second = await lease(key)
    await second.append(bytes("three\n"), grown)
    const late = failsWith("SessionChangedError", second.append(bytes("two\n"), stat), "a repeated append")
    equal((await late).data.change, "grown", "the change")
    await holds(key, "one\ntwo\nthree\n")
  },
})
