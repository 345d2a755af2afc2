import { equal, ok } from "../assert.js"
import { bytes } from "../session-storage/bytes.js"
import { listed, type Tests } from "./fixture.js"

export const listTests: Tests = {
  "is empty for a store that nothing was put into": async ({ store }) => {
    equal(await listed(store), [], "what the store lists")
  },

  "lists every blob with its size": async ({ store }) => {
    const expected = new Map<string, number>()
    for (const text of ["", "one", "three"]) expected.set(await store.put(bytes(text)), text.length)
    const sizes = (await listed(store)).map(({ hash, size }) => [hash, size])
    equal(sizes, [...expected].sort(), "the listed hashes and sizes")
  },

  "lists a time that putting again moves forward or keeps": async ({ store }) => {
    await store.put(bytes("one"))
    const first = (await listed(store))[0]?.modified ?? Number.NaN
    await store.put(bytes("one"))
    const second = (await listed(store))[0]?.modified ?? Number.NaN
    ok(second >= first && first > 0, `${second} is not before ${first}, and both are times`)
  },
}
