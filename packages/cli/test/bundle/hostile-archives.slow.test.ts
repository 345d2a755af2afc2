import { createHash } from "node:crypto"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { type Headers, pack } from "tar-stream"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

// A bundle may come from anybody: whatever is wrong with it, nothing of it is stored, and nothing is written elsewhere.

const SESSION = sessionText(testHeader({ cwd: "/home/ada/shop" }), userEntry("one", null))

type TarEntry = Partial<Headers> & { readonly text?: string; readonly pax?: Record<string, string> }
interface Listed {
  readonly path: string
  readonly size?: number
  readonly sha256?: string
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
const listed = (path: string, text = SESSION): Listed => ({ path, size: text.length, sha256: sha256(text) })
const manifest = (files: readonly Listed[], rest: object = {}): TarEntry => ({
  name: "manifest.json",
  text: JSON.stringify({
    format: "treelog-bundle",
    version: 1,
    sessions: files.filter(({ path }) => /^sessions\/[^/]*\.jsonl$/.test(path)).map(({ path }) => ({ path })),
    files,
    ...rest,
  }),
})

const ONE: TarEntry = { name: "sessions/1.jsonl", text: SESSION }
const [FIRST, NOTE] = [listed("sessions/1.jsonl"), listed("sessions/1/note.txt", "note")]

async function archive(entries: readonly TarEntry[]): Promise<Buffer> {
  const tar = pack()
  for (const { text = "", name = "", ...header } of entries) {
    const isFile = (header.type ?? "file") === "file"
    if (isFile) tar.entry({ name, ...header }, text)
    else tar.entry({ name, ...header } as Headers)
  }
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

/** Gives the bundle to the command, and expects that nothing was written but the folder of the store. */
async function expectRefused(
  box: Sandbox,
  bytes: Uint8Array,
  reason: string,
  outcome = "was refused, and nothing of it was stored",
): Promise<void> {
  writeFileSync(join(box.folder, "evil.tar.gz"), bytes)
  const { code, stdout, stderr } = await box.run(["import", "../evil.tar.gz"])
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  expect(stderr).toContain(outcome)
  expect(stderr).toContain(reason)
  expect(
    readdirSync(box.folder)
      .filter((name) => name !== "agent")
      .sort(),
  ).toEqual(["evil.tar.gz", "project"])
  if (existsSync(box.agentDir)) expect(readdirSync(box.agentDir)).toEqual([])
}

const EVIL: Readonly<Record<string, readonly [reason: string, entries: readonly TarEntry[]]>> = {
  "a path upwards": ["not the name of a file", [manifest([FIRST, listed("sessions/1/../../../evil", "note")]), ONE]],
  "a path upwards that its manifest does not have": [
    "in the place of sessions/1/note.txt",
    [manifest([FIRST, NOTE]), ONE, { name: "sessions/1/../../../evil", text: "note" }],
  ],
  "an absolute path": ["not the name of a file", [manifest([FIRST, listed("/tmp/evil", "note")]), ONE]],
  "an absolute path among artifacts": [
    "not the name of a file",
    [manifest([FIRST, listed("sessions/1//tmp/evil")]), ONE],
  ],
  "a file that belongs to no session": [
    "not the name of a file",
    [manifest([FIRST, listed("sessions/2/note.txt")]), ONE],
  ],
  "a blob of another name": ["not the name of a file", [manifest([FIRST, listed(`blobs/${"0".repeat(64)}`)]), ONE]],
  "a symbolic link": [
    "is not a file: it has the type symlink",
    [manifest([FIRST, NOTE]), ONE, { name: "sessions/1/note.txt", type: "symlink", linkname: "/etc/passwd" }],
  ],
  "a hard link": [
    "is not a file: it has the type link",
    [manifest([FIRST, NOTE]), ONE, { name: "sessions/1/note.txt", type: "link", linkname: "sessions/1.jsonl" }],
  ],
  "a device": [
    "is not a file: it has the type character-device",
    [manifest([FIRST, NOTE]), ONE, { name: "sessions/1/note.txt", type: "character-device", devmajor: 1, devminor: 5 }],
  ],
  "a pipe": [
    "is not a file: it has the type fifo",
    [manifest([FIRST, NOTE]), ONE, { name: "sessions/1/note.txt", type: "fifo" }],
  ],
  "a folder": [
    "is not a file: it has the type directory",
    [manifest([FIRST, NOTE]), ONE, { name: "sessions/1/note.txt", type: "directory" }],
  ],
  "a wrong hash": [
    "does not have the hash",
    [manifest([FIRST, NOTE]), ONE, { name: "sessions/1/note.txt", text: "nope" }],
  ],
  "a wrong size": [
    "has 9 bytes instead of 4",
    [manifest([FIRST, NOTE]), ONE, { name: "sessions/1/note.txt", text: "more than" }],
  ],
  "two entries of one name in its manifest": ["two of its entries", [manifest([FIRST, FIRST]), ONE, ONE]],
  "two entries of one name": ["which its manifest does not", [manifest([FIRST]), ONE, ONE]],
  "an entry too few": ["ends before sessions/1/note.txt", [manifest([FIRST, NOTE]), ONE]],
  "entries in another order": [
    "in the place of sessions/1.jsonl",
    [manifest([FIRST, NOTE]), { name: "sessions/1/note.txt", text: "note" }, ONE],
  ],
  "no manifest": ["begins with", [ONE]],
  "a manifest that is no JSON": ["is not JSON", [{ name: "manifest.json", text: "{" }]],
  "a manifest of something else": ["not the manifest of a bundle", [manifest([FIRST], { format: "other" }), ONE]],
  "a newer version": ["update treelog", [manifest([FIRST], { version: 2 }), ONE]],
  "a session without a file": [
    "it lacks sessions/7.jsonl",
    [manifest([FIRST], { sessions: [{ path: "sessions/7.jsonl" }] }), ONE],
  ],
  "a size that is none": ["no valid size", [manifest([{ ...FIRST, size: -1 }]), ONE]],
  "more than there can be": ["would have", [manifest([{ ...FIRST, size: 2 ** 52 }]), ONE]],
  "more than the disk has": ["there is space for", [manifest([{ ...FIRST, size: 2 ** 41 }]), ONE]],
  "a long name of megabytes": [
    "more bytes than its manifest says",
    [manifest([FIRST]), { ...ONE, pax: { comment: "x".repeat(80 << 20) } }],
  ],
}

describe("unbundle refuses an archive with", () => {
  test.each(Object.entries(EVIL))("%s", async (_, [reason, entries]) => {
    await expectRefused(sandbox(), await archive(entries), reason)
  })

  test("a file that is also a folder", async () => {
    const files = [FIRST, listed("sessions/1/a", "note"), listed("sessions/1/a/b", "note")]
    const rest = files.slice(1).map(({ path: name }) => ({ name, text: "note" }))
    await expectRefused(sandbox(), await archive([manifest(files), ONE, ...rest]), "sessions/1/a/b")
  })

  test("zeros after its end, without end", async () => {
    const tar = gunzipSync(await archive([manifest([FIRST]), ONE]))
    const bomb = gzipSync(Buffer.concat([tar, Buffer.alloc(50 << 20)]))
    await expectRefused(sandbox(), bomb, "more bytes than its manifest says")
  })

  test("a part missing, at every length", async () => {
    const whole = await archive([manifest([FIRST, NOTE]), ONE, { name: "sessions/1/note.txt", text: "note" }])
    const box = sandbox()
    await expectRefused(box, whole.subarray(0, 0), "it has no bytes", "is empty")
    for (let length = 23; length < whole.length - 8; length += 23)
      await expectRefused(box, whole.subarray(0, length), "")
  })

  test("a changed byte, anywhere", async () => {
    const whole = await archive([manifest([FIRST, NOTE]), ONE, { name: "sessions/1/note.txt", text: "note" }])
    const box = sandbox()
    for (let at = 10; at < whole.length - 8; at += 17) {
      const changed = Uint8Array.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 0x55
      await expectRefused(box, changed, "")
    }
  })

  test("nothing of an archive in it", async () => {
    await expectRefused(sandbox(), Buffer.from("not an archive at all"), "It was not touched", "is not a session")
    await expectRefused(sandbox(), gzipSync("not an archive at all"), "damaged, or incomplete")
    // By zstd, which older Node cannot read.
    await expectRefused(sandbox(), Buffer.from("28b52ffd00", "hex"), "it is")
  })
})

test("An archive that was made by hand, without compression, is stored.", async () => {
  const box = sandbox()
  const tar = gunzipSync(await archive([manifest([FIRST]), ONE]))
  writeFileSync(join(box.folder, "plain.tar"), tar)
  const [report] = (await box.run(["import", "../plain.tar", "--json"])).json
  expect(report).toMatchObject({ path: "sessions/1.jsonl", status: "created" })
  expect(existsSync(String(report?.to))).toBe(true)
})
