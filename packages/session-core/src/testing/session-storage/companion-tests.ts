import { equal } from "../assert.js"
import { where } from "./fixture.js"
import { bytes } from "./samples.js"

const NOTES = bytes("a companion")

export const companionTests = where("addArtifacts", {
  "are not listed, whatever their name": async ({ session, companions, listed }) => {
    const { key } = await session("{}\n")
    await companions().write(key, "sub-agent.jsonl", NOTES)
    equal(await listed(), [key], "the listing")
  },

  "move with the session": async ({ session, companions, newKey }) => {
    const { key: from, lease } = await session("{}\n")
    await companions().write(from, "notes.txt", NOTES)
    await lease.move(newKey())
    equal(await companions().read(lease.key, "notes.txt"), NOTES, "the companion of the new key")
    equal(await companions().read(from, "notes.txt"), undefined, "the companion of the old key")
  },

  "are copied to a session made from another's": async ({ session, lease, companions }) => {
    const { key: source } = await session("{}\n")
    await companions().write(source, "notes.txt", NOTES)
    const fork = await lease()
    await fork.create([bytes("{}\n")], { artifactsFrom: source })
    equal(await companions().read(fork.key, "notes.txt"), NOTES, "the companion of the copy")
    equal(await companions().read(source, "notes.txt"), NOTES, "the companion of the source")
  },

  "need not exist to be copied": async ({ session, lease, holds }) => {
    const { key: source } = await session("{}\n")
    const fork = await lease()
    await fork.create([bytes("{}\n")], { artifactsFrom: source })
    await holds(fork.key, "{}\n")
  },

  "stay when the session is replaced": async ({ session, companions }) => {
    const { key, lease, stat } = await session("old\n")
    await companions().write(key, "notes.txt", NOTES)
    await lease.replace([bytes("new\n")], { expected: stat, keepAs: ".bak" })
    equal(await companions().read(key, "notes.txt"), NOTES, "the companion")
  },

  "are removed with the session": async ({ session, companions }) => {
    const { key, lease } = await session("{}\n")
    await companions().write(key, "notes.txt", NOTES)
    await lease.remove()
    equal(await companions().read(key, "notes.txt"), undefined, "the companion")
  },
})

export const breadcrumbTests = where("breadcrumbs", {
  "are not there before one is written": async ({ storage }) => {
    equal(await storage.breadcrumbs?.read(), undefined, "the breadcrumb")
  },

  "give what was written last": async ({ storage, newKey }) => {
    const [first, second] = [newKey(), newKey()]
    await storage.breadcrumbs?.write("/a folder/of the first", first)
    await storage.breadcrumbs?.write("/作業/second", second)
    equal(await storage.breadcrumbs?.read(), { cwd: "/作業/second", key: second }, "the breadcrumb")
  },

  "name sessions that are not stored, and store none": async ({ storage, newKey, holdsNothing }) => {
    const key = newKey()
    await storage.breadcrumbs?.write("/somewhere", key)
    await holdsNothing(key)
  },
})
