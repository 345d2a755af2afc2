import { moveSession } from "@treelog/session-core/maintenance"
import { userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { refOf } from "./samples.js"
import { HASH, IMAGES, illustrated, keyOf, withImage, workbench } from "./workbench.js"

describe("what needs no image", () => {
  async function stored() {
    const bench = workbench()
    const session = await illustrated(bench.manager)
    await session.close()
    bench.events.length = 0
    return { ...bench, key: keyOf(session) }
  }

  it("asks the blob store for nothing: opening, looking, branching", async () => {
    const { manager, key, events } = await stored()
    const session = await manager.open(key)
    const [first] = session.getEntries()
    session.getTree()
    session.getBranch()
    session.buildTranscript()
    session.buildSessionContext()
    session.branch(first?.id ?? "")
    session.branchWithSummary(first?.id ?? "", "left")
    await session.close()
    expect(events.filter((event) => !event.startsWith("line "))).toEqual([])
  })

  it("asks the blob store for nothing: listing and finding", async () => {
    const { manager, key, events } = await stored()
    const listed = []
    for await (const info of manager.listAll()) listed.push(info.path)
    expect(listed).toEqual([key])
    expect((await manager.recent("/project", 1)).map(({ path }) => path)).toEqual([key])
    expect(events).toEqual([])
  })

  it("asks the blob store for nothing: moving and forking, whose copies carry the references", async () => {
    const { manager, key, events, blobs } = await stored()
    const to = await moveSession(manager, key, "/elsewhere")
    const fork = await manager.forkFrom(to, "/third")
    expect([...events.join("\n").matchAll(HASH)]).toHaveLength(5)
    expect([...blobs.reads, ...blobs.puts]).toEqual([])
    expect(JSON.stringify((await fork.readContext()).messages)).toContain(IMAGES[3])
  })

  it("asks the blob store for nothing: a branch copied to a session of its own, parents rewritten", async () => {
    const { manager, key, events, blobs } = await stored()
    const session = await manager.open(key)
    const [first] = session.getEntries()
    session.branch(first?.id ?? "")
    session.appendLabelChange(first?.id ?? "", "here")
    const id = session.appendMessage(userMessage("after a label"))
    await session.close()
    const again = await manager.open(key)
    const branched = await again.createBranchedSession(id)
    expect(branched.getEntry(id)?.parentId).toBe(first?.id)
    expect([...blobs.reads, ...blobs.puts]).toEqual([])
    expect(events.at(-1)).toContain('"label"')
    expect((await branched.readContext()).messages[0]).toEqual(withImage(IMAGES[0]))
  })

  it("reads the blobs of its own branch only: a context", async () => {
    const { manager, key, blobs } = await stored()
    const session = await manager.open(key)
    const [first] = session.getEntries()
    await session.readContext({ leafId: first?.id ?? "" })
    expect(blobs.reads).toEqual([`get ${refOf(IMAGES[0] ?? "").slice(-64)}`])
  })
})

describe("a branch of a live session", () => {
  it("gets references also where a line must be written anew", async () => {
    const { manager, storage } = workbench()
    const session = await manager.create("/project")
    const root = session.appendMessage(userMessage("root"))
    session.appendLabelChange(root, "here")
    const leaf = session.appendMessage(withImage(IMAGES[0]))
    const branched = await session.createBranchedSession(leaf)
    const text = JSON.stringify(await storage.linesOf(keyOf(branched)))
    expect([text.includes(refOf(IMAGES[0] ?? "")), text.includes(IMAGES[0] ?? "-")]).toEqual([true, false])
    expect(branched.getEntry(leaf)?.parentId).toBe(root)
  })
})
