import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { blobRef } from "@treelog/session-core/adapter"
import { entry, sessionText, testHeader, tries, userEntry } from "@treelog-internal/test-kit"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { hold } from "../housekeeping-box.js"
import { hashOf, imageEntry, storeBlob } from "../images.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const text = (path: unknown): string => readFileSync(String(path), "utf8")
const artifacts = (path: string): string => path.slice(0, -".jsonl".length)
/** The other machine: a store in which nothing is yet. */
const THERE = { env: { TREELOG_AGENT_DIR: "", HOME: "" } }

function other(box: Sandbox, name = "there"): { env: Record<string, string> } {
  return { env: { ...THERE.env, TREELOG_AGENT_DIR: join(box.folder, name), HOME: join(box.folder, "home") } }
}

/** Appends to a stored file. */
function append(path: string, ...lines: readonly object[]): void {
  writeFileSync(path, text(path) + sessionText(...lines))
}

async function unbundled(box: Sandbox, name: string, ...argv: readonly string[]) {
  const { code, json, stderr } = await box.run(["import", "../out.tar.gz", "--json", ...argv], other(box, name))
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return json
}

describe("bundle and unbundle", () => {
  test("bring sessions of any content to another store, with names, labels, artifacts, sub-agents and blobs", async () => {
    const name = fc.constantFrom(
      "notes.txt",
      "deep/er/notes.txt",
      "sub-agent.jsonl",
      "näme \u00e9\u{1f600}.bin",
      "x".repeat(180),
    )
    const session = fc.record({
      body: fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constant('{"torn')), { maxLength: 4 }),
      terminated: fc.boolean(),
      artifacts: fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 600 })), {
        maxLength: 4,
        selector: ([one]) => one,
      }),
      blob: fc.option(fc.string({ minLength: 1 })),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(session, { minLength: 1, maxLength: 4 }), async (sessions) => {
        const box = sandbox()
        const paths = sessions.map(({ body, terminated, artifacts: files, blob }, index) => {
          const lines = [
            userEntry("one", null),
            entry("session_info", "two", "one", { name: `Session ${index}` }),
            entry("label", "three", "two", { targetId: "one", label: "a label" }),
            ...(blob === null ? [] : [imageEntry("four", "three", blobRef(storeBlob(box, blob)))]),
            ...body,
          ]
          const path = box.store(lines, { id: `session-${index}` })
          if (!terminated) writeFileSync(path, text(path).trimEnd())
          for (const [file, bytes] of files) {
            box.write(join(artifacts(path).slice(box.folder.length), file), "")
            writeFileSync(join(artifacts(path), file), bytes)
          }
          return path
        })
        expect((await box.run(["bundle", "--all", "-o", "../out.tar.gz"])).code).toBe(0)
        const first = readFileSync(join(box.folder, "out.tar.gz"))
        await box.print("bundle", "--all", "--force", "-o", "../out.tar.gz")
        expect(readFileSync(join(box.folder, "out.tar.gz")).equals(first)).toBe(true)
        const there = (path: string): string => path.replace("/agent/", "/there/")
        const reports = await unbundled(box, "there")
        expect(reports.map(({ to, status }) => [to, status]).sort()).toEqual(
          paths.map((path) => [there(path), "created"]).sort(),
        )
        for (const [index, path] of paths.entries()) {
          expect(readFileSync(there(path)).equals(readFileSync(path))).toBe(true)
          for (const [file, bytes] of sessions[index]?.artifacts ?? [])
            expect(readFileSync(join(artifacts(there(path)), file)).equals(bytes)).toBe(true)
          const blob = sessions[index]?.blob
          if (blob) expect(text(join(box.folder, "there", "blobs", hashOf(blob)))).toBe(blob)
          const context = ["context", `session-${index}`, "--json", "--all"]
          const [here, copy] = [await box.run(context), await box.run(context, other(box))]
          expect(copy.json[0]?.messages).toEqual(here.json[0]?.messages)
        }
        expect((await unbundled(box, "there")).map(({ status }) => status)).toEqual(paths.map(() => "unchanged"))
      }),
      { numRuns: tries(3) },
    )
  })

  test("Two machines in turn: what grew goes over, what went its own way on both is two branches of one session.", async () => {
    const box = sandbox()
    const [grown, split] = ["grown", "split"].map((id) => box.store([userEntry("one", null)], { id })) as [
      string,
      string,
    ]
    const there = (path: string): string => path.replace("/agent/", "/there/")
    const bundled = (world = {}) => box.run(["bundle", "--all", "--force", "-o", "../out.tar.gz"], world)
    await bundled()
    await unbundled(box, "there")
    append(there(grown), userEntry("two", "one"))
    append(split, userEntry("here", "one"))
    append(there(split), userEntry("there", "one"))
    await bundled(other(box))
    const back = await unbundled(box, "agent")
    expect(back.map(({ status }) => status).sort()).toEqual(["appended", "branched"])
    expect(text(grown)).toBe(text(there(grown)))
    for (const id of ["here", "there"]) expect(text(split)).toContain(`"id":"${id}"`)
    expect(await box.print("show", "split")).toContain("here")
    const again = await unbundled(box, "agent")
    expect(again.map(({ status }) => status)).toEqual(["unchanged", "unchanged"])
    append(there(split), userEntry("more", "there"))
    await bundled(other(box))
    const more = (await unbundled(box, "agent")).find(({ to }) => to === split)
    expect(more).toMatchObject({ status: "branched", added: 1, rewritten: 0 })
    expect((await box.run(["verify", "split"])).code).toBe(0)
  })

  test("--map gives the sessions of a folder the path that it has here, and finds them again.", async () => {
    const box = sandbox()
    for (const [id, cwd] of [
      ["one", "/home/ada/shop"],
      ["two", "/home/ada"],
      ["three", "/home/adam"],
    ] as const)
      box.write(
        `agent/sessions/x/2026-03-07T14-00-00-000Z_${id}.jsonl`,
        sessionText(testHeader({ id, cwd }), userEntry("a", null)),
      )
    await box.print("bundle", "--all", "-o", "../out.tar.gz")
    const map = ["--map", "/home/ada=/Users/ada/", "--map", "/home/ada/shop=/srv/shop"]
    const reports = await unbundled(box, "there", ...map)
    const cwds = reports.map(({ to }) => JSON.parse(text(to).split("\n")[0] ?? "").cwd)
    expect(cwds.sort()).toEqual(["/Users/ada", "/home/adam", "/srv/shop"])
    for (const again of [map, []])
      expect((await unbundled(box, "there", ...again)).map(({ status }) => status)).toEqual(Array(3).fill("unchanged"))
    const list = await box.run(["list", "--cwd", "/srv/shop", "--json"], other(box))
    expect(list.stdout).toContain('"one"')
  })

  test("Secrets are counted, and with --redact they are neither in sessions nor in artifacts nor in blobs.", async () => {
    const box = sandbox()
    const secrets = plantedSecrets(4, 3)
    const [said = "", written = "", long = "", delegated = ""] = secrets.map(({ text }) => text)
    const hash = storeBlob(box, `a long text with ${long} in it`)
    const path = box.store([
      userEntry("one", null, `It is ${said} now.`),
      userEntry("two", "one", `It was…\n[full content: ${blobRef(hash)}]`),
      imageEntry("three", "two", blobRef(storeBlob(box, "\u0000\xff"))),
    ])
    box.write(join(artifacts(path).slice(box.folder.length), "notes.txt"), `Use ${written}.`)
    const agent = sessionText(testHeader({ id: "agent" }), userEntry("one", null, `See ${delegated}, ${blobRef(hash)}`))
    box.write(join(artifacts(path).slice(box.folder.length), "agent.jsonl"), agent)
    const plain = await box.run(["bundle", "-o", "../plain.tar.gz"])
    expect(plain.stderr).toContain("secrets in 1 session")
    expect(`${plain.stdout}${plain.stderr}`).not.toContain(said)
    expect(gunzipSync(readFileSync(join(box.folder, "plain.tar.gz"))).includes(said)).toBe(true)
    const { stderr } = await box.run(["bundle", "--redact", "-o", "../out.tar.gz"])
    expect(stderr).toContain("Redacted ")
    const tar = gunzipSync(readFileSync(join(box.folder, "out.tar.gz"))).toString("latin1")
    for (const { core } of secrets) expect(tar).not.toContain(core)
    expect(tar).not.toContain(hash)
    const [report] = await unbundled(box, "there")
    expect(report).toMatchObject({ missingBlobs: [] })
    const shown = await box.run(["context", "--all", "--json"], other(box))
    const [, redacted = ""] = /full content: blob:sha256:([0-9a-f]{64})/.exec(shown.stdout) ?? []
    expect(text(join(box.folder, "there", "blobs", redacted))).toMatch(/^a long text with \[redacted .*\] in it$/)
    expect(text(join(artifacts(String(report?.to)), "agent.jsonl"))).toContain(redacted)
  })

  test("With --redact, there is nothing that was not scanned, and what is left out is named.", async () => {
    const box = sandbox()
    const [{ core = "", text: token = "" } = {}] = plantedSecrets(3).slice(2)
    const folder = artifacts(box.store([userEntry("one", null)])).slice(box.folder.length)
    for (const [name, bytes] of [
      ["source.jsonl.gz", gzipSync(`{"said":"${token}"}`)],
      ["latin1.txt", Buffer.from(`caf\xe9 ${token}`, "latin1")],
      ["utf16.txt", Buffer.from(`The key is ${token}`, "utf16le")],
    ] as const)
      writeFileSync(box.write(join(folder, name), ""), bytes)
    box.write(join(folder, `${token}.txt`), "x")
    box.write(join(folder, "kept.txt"), "kept")
    const { stdout, stderr } = await box.run(["bundle", "--redact", "-o", "../out.tar.gz"])
    expect(stderr).toContain("left out [redacted GitHub token], latin1.txt, source.jsonl.gz, utf16.txt")
    expect(stderr).toContain("4 files left out: what is a link, cannot be scanned, or has a secret in its name.")
    const tar = gunzipSync(readFileSync(join(box.folder, "out.tar.gz"))).toString("latin1")
    expect(tar).toContain("sessions/1/kept.txt")
    for (const gone of ["source.jsonl.gz", "latin1.txt", "utf16.txt", core])
      expect(tar + stdout + stderr.replace(/left out .*/g, "")).not.toContain(gone)
  })

  test("What cannot be bundled is reported, and the rest is bundled.", async () => {
    const box = sandbox()
    box.write(box.store([], { id: "bad" }).slice(box.folder.length), "nonsense\n")
    const good = box.store([imageEntry("out", null, blobRef(hashOf("nowhere")))], { id: "good" })
    mkdirSync(artifacts(good))
    symlinkSync("/etc/passwd", join(artifacts(good), "link"))
    const { code, stdout, stderr } = await box.run(["bundle", "--all", "-o", "../out.tar.gz"])
    expect(code).toBe(1)
    expect(stdout).toContain("InvalidSessionError")
    expect(stderr).toContain(": left out link")
    expect(stderr).toContain("1 blob missing or damaged in the store.")
    expect(stderr).toContain("Bundled 1 session, 1 file")
    expect((await unbundled(box, "there")).map(({ missingBlobs }) => missingBlobs)).toEqual([[hashOf("nowhere")]])
  })

  test("-o - and - are a pipe; the file is for the owner alone, and appears when it is complete.", async () => {
    const box = sandbox()
    box.store([userEntry("one", null)])
    const chunks: Uint8Array[] = []
    const piped = await box.run(["bundle", "--all", "-o", "-"], { onBytes: (bytes) => chunks.push(bytes) })
    expect(piped.code).toBe(0)
    const { stdout } = await box.run(["import", "-"], { ...other(box), stdinBytes: Buffer.concat(chunks) })
    expect(stdout).toContain("created")
    await box.print("bundle", "-o", "../out.tar.gz")
    expect(statSync(join(box.folder, "out.tar.gz")).mode & 0o777).toBe(0o600)
    const taken = await box.run(["bundle", "-o", "../out.tar.gz"])
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining("--force overwrites it") })
  })

  test("Only sessions of the folder are bundled with --project, and named ones.", async () => {
    const box = sandbox()
    box.store([userEntry("one", null)], { id: "mine" })
    box.store([userEntry("one", null)], { id: "elsewhere", cwd: "/elsewhere" })
    const ids = async (...argv: readonly string[]) =>
      (await box.run(["bundle", ...argv, "--force", "--json", "-o", "../out.tar.gz"])).json
        .map(({ path }) => /_(.*)\.jsonl/.exec(String(path))?.[1])
        .sort()
    expect(await ids("--project")).toEqual(["mine"])
    expect(await ids("--all")).toEqual(["elsewhere", "mine"])
    expect(await ids("elsewhere", "mine")).toEqual(["elsewhere", "mine"])
  })

  test.each([
    [["bundle", "--all", "--project", "-o", "../x"], "Name sessions, or give --project or --all."],
    [["bundle", "--json", "-o", "-"], "--json needs a file"],
    [["bundle"], "--output"],
    [["import", "../x.tar.gz", "--map", "home=/Users"], "--map takes two absolute paths"],
    [["import", "../x.tar.gz", "--map", "/home"], "--map takes two absolute paths"],
  ])("2: `%s` is not understood.", async (argv, message) => {
    const box = sandbox()
    box.store([userEntry("one", null)])
    writeFileSync(join(box.folder, "x.tar.gz"), gzipSync("any"))
    const { code, stderr } = await box.run(argv)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  test("A session that someone writes is skipped, and stored by the next run; an interrupt leaves nothing unpacked.", async () => {
    const box = sandbox()
    const path = box.store([userEntry("one", null)])
    const there = path.replace("/agent/", "/there/")
    await box.print("bundle", "-o", "../out.tar.gz")
    await unbundled(box, "there")
    append(path, userEntry("two", "one"))
    await box.print("bundle", "--force", "-o", "../out.tar.gz")
    await hold(box, there)
    const busy = await box.run(["import", "../out.tar.gz"], other(box))
    expect(busy).toMatchObject({ code: 5, stdout: expect.stringContaining("SessionBusyError") })
    const stopped = await box.run(["import", "../out.tar.gz"], {
      ...other(box, "third"),
      interrupted: AbortSignal.abort(),
    })
    expect(stopped.code).toBe(130)
    expect(existsSync(join(box.folder, "third", "sessions"))).toBe(false)
    const missing = await box.run(["import", "../nothing.tar.gz"])
    expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining("There is no session at") })
  })
})
