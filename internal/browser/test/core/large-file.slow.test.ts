import { appendFile, mkdtemp, open as openFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { corePages, inPage } from "../../src/core/core-page.js"
import { peakHeap } from "../../src/core/watched-heap.js"
import { noBrowser } from "../../src/launch.js"

const MB = 1_000_000
const ENTRIES = 100_000
const TIMESTAMP = "2026-03-02T09:00:00.000Z"

describe.skipIf(noBrowser)("a file of 300 MB and 100,000 entries, read in a page", () => {
  const open = corePages()
  let folder = ""
  let file = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "treelog-large-"))
    file = join(folder, "large.jsonl")
    expect(await writeSession(file)).toBeGreaterThan(300 * MB)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test("gives its context, and the heads of all entries, in less than 200 MB of memory.", async () => {
    const page = await (await open('export * from "./reading.js"')).open()
    await page.setInputFiles("input", file)
    const context = await peakHeap(page, () => inPage<Report>(page, "contextOfFile"))
    expect(context.value).toMatchObject({ messages: 101, last: `e${ENTRIES - 1}` })
    expect(context.peakBytes).toBeLessThan(200 * MB)
    const outline = await peakHeap(page, () => inPage<Report>(page, "outlineOfFile"))
    expect(outline.value).toMatchObject({ heads: ENTRIES, leafId: `e${ENTRIES - 1}` })
    expect(outline.peakBytes).toBeLessThan(200 * MB)
    report("context", context)
    report("outline", outline)
  })

  test("gives its context also where only reading everything finds the leaf.", async () => {
    const leaf = {
      type: "leaf",
      id: "leaf",
      parentId: `e${ENTRIES - 1}`,
      timestamp: TIMESTAMP,
      targetId: `e${ENTRIES - 3}`,
    }
    await appendFile(file, `${JSON.stringify(leaf)}\n`)
    const page = await (await open('export * from "./reading.js"')).open()
    await page.setInputFiles("input", file)
    const { value, peakBytes } = await peakHeap(page, () => inPage<Report>(page, "contextOfFile"))
    expect(value).toMatchObject({ messages: 99, last: `e${ENTRIES - 3}` })
    expect(peakBytes).toBeLessThan(200 * MB)
    report("leaf", { value, peakBytes })
  })
})

interface Report {
  readonly tookMs: number
}

function report(what: string, { value, peakBytes }: { value: Report; peakBytes: number }): void {
  if (process.env.TREELOG_TELL)
    process.stderr.write(`${what}: ${Math.round(value.tookMs)} ms, ${Math.round(peakBytes / MB)} MB\n`)
}

/** A long chain of messages with a compaction near its end; the bytes written. */
async function writeSession(path: string): Promise<number> {
  const filling = "x".repeat(2_850)
  const lines = await openFile(path, "wx")
  const header = { type: "session", version: 3, id: "large", timestamp: TIMESTAMP, cwd: "/" }
  let batch = `${JSON.stringify(header)}\n`
  let size = 0
  try {
    for (let index = 0; index < ENTRIES; index++) {
      const parentId = index === 0 ? "null" : `"e${index - 1}"`
      const isCompaction = index === ENTRIES - 100
      const head = `{"type":"${isCompaction ? "compaction" : "message"}","id":"e${index}","parentId":${parentId},"timestamp":"${TIMESTAMP}",`
      batch += head
      batch += isCompaction
        ? `"summary":"s","firstKeptEntryId":"e${index - 1}","tokensBefore":1}\n`
        : index % 2 === 1
          ? `"message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"text","text":"${filling}"}]}}\n`
          : `"message":{"role":"user","content":"${filling}"}}\n`
      if (batch.length < MB) continue
      size += (await lines.write(batch)).bytesWritten
      batch = ""
    }
    size += (await lines.write(batch)).bytesWritten
  } finally {
    await lines.close()
  }
  return size
}
