import { spawn } from "node:child_process"
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { version } from "../package.json"
import { builtFiles, isPackage, loadedLater, loadedWith, MAIN } from "./built-imports.js"
import { commands } from "./command-table.js"
import { type Sandbox, sandbox } from "./sandbox.js"
import { sessionInPage } from "./session-in-page.js"

// What only a process can show. It runs what `npm run build` made.

describe("the built command", () => {
  test.each(["show", "tree --json"])("ends quietly when the reader of `%s | head` has enough", async (command) => {
    const box = sandbox()
    box.store(
      Array.from({ length: 5000 }, (_, index) =>
        userEntry(`e${index}`, index === 0 ? null : `e${index - 1}`, "word ".repeat(50)),
      ),
    )
    const { stdout, stderr } = await shell(box, `{ node "$MAIN" ${command}; echo "exit $?" >&2; } | head -n 1`)
    expect(stdout).not.toBe("")
    expect(stderr).toBe("exit 0\n")
  })

  test("ends quietly when nobody reads at all", async () => {
    const box = sandbox()
    box.store([userEntry("one", null)])
    const { stderr } = await shell(box, `{ sleep 0.2; node "$MAIN" show; echo "exit $?" >&2; } | true`)
    expect(stderr).toBe("exit 0\n")
  })

  test("ends with 130 on Ctrl-C, and gives the session back", async () => {
    const box = sandbox()
    box.store([userEntry("one", null)])
    const child = spawn(process.execPath, [MAIN, "append", "@last", "-"], { cwd: box.project, env: environment(box) })
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve))
    // More than a pipe takes: it is written when the command reads, and so listens to signals. The message is not at its end.
    await new Promise((resolve) => child.stdin.write(`{"role":"${"x".repeat(1_000_000)}`, resolve))
    child.kill("SIGINT")
    expect(await ended).toBe(130)
    expect((await shell(box, `node "$MAIN" append @last --role user --text Hi`)).stderr).toBe("")
  })

  test("watches until Ctrl-C, and ends with 130", async () => {
    const box = sandbox()
    const path = box.store([userEntry("one", null)])
    const child = spawn(process.execPath, [MAIN, "watch"], { cwd: box.project, env: environment(box) })
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve))
    child.stderr.once("data", () => appendFileSync(path, `${JSON.stringify(userEntry("two", "one", "second"))}\n`))
    child.stdout.once("data", () => child.kill("SIGINT"))
    expect(await ended).toBe(130)
  })

  test("exports and shows a session in less memory than the session takes", async () => {
    const box = sandbox()
    const text = "word ".repeat(10_000)
    const path = box.store(
      Array.from({ length: 1_000 }, (_, index) => userEntry(`e${index}`, index === 0 ? null : `e${index - 1}`, text)),
    )
    expect(statSync(path).size).toBeGreaterThan(50_000_000)
    const inLittleMemory = (command: string) =>
      shell(box, `node --max-old-space-size=48 "$MAIN" ${command}; echo "exit $?" >&2`)
    const { stderr } = await inLittleMemory("export -o page.html")
    expect(stderr).toMatch(/^Exported 1,000 entries, .*\nexit 0\n$/s)
    const page = readFileSync(`${box.project}/page.html`, "utf8")
    expect(sessionInPage(page)).toBe(readFileSync(path, "utf8"))
    for (const command of ["show", "show --json", "show --tail 2", "show --leaf e998"]) {
      const shown = await inLittleMemory(`${command} | tail -c 60000`)
      expect({ command, stderr: shown.stderr }).toEqual({ command, stderr: "exit 0\n" })
      expect(shown.stdout.match(/word /g)?.length).toBeGreaterThan(9_000)
    }
  })

  test("reads a message from stdin, and passes exit codes on", async () => {
    const box = sandbox()
    box.store([userEntry("one", null)])
    const { stdout } = await shell(
      box,
      `echo '{"role":"user","content":"Hi"}' | node "$MAIN" append @last - && node "$MAIN" show`,
    )
    expect(stdout).toContain("Hi")
    expect((await shell(box, `node "$MAIN" show nothing; echo "exit $?"`)).stdout).toBe("exit 3\n")
    expect((await shell(box, `node "$MAIN" lst; echo "exit $?"`)).stdout).toBe("exit 2\n")
  })

  // Other systems have no such device.
  test.skipIf(!existsSync("/dev/full"))("says that its output cannot be written", async () => {
    const box = sandbox()
    box.store([userEntry("one", null, "needle")])
    for (const command of ["show", "search needle", "--help", "--version", "list --help"]) {
      const { stdout, stderr } = await shell(box, `node "$MAIN" ${command} >/dev/full; echo "exit $?"`)
      expect({ command, stdout, stderr }).toEqual({
        command,
        stdout: "exit 1\n",
        stderr: expect.stringMatching(
          /^treelog: Standard output cannot be written: ENOSPC\.\n( {2}The disk is full\. .*\n)?$/,
        ),
      })
    }
    const { stderr } = await shell(box, `node "$MAIN" list --json >/dev/full`)
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "StorageError", data: { key: "stdout", operation: "write", errno: "ENOSPC" } },
    })
  })

  test.skipIf(process.platform === "win32")("rebuilds an index that a pipe stands in the place of", async () => {
    const box = sandbox()
    box.store([userEntry("one", null, "needle")])
    const index: string = JSON.parse((await shell(box, `node "$MAIN" index --json`)).stdout).path
    const asPipe = `rm -f ${index}*; mkfifo ${index}; node "$MAIN"`
    const { stderr } = await shell(box, `${asPipe} search needle`)
    expect(stderr).toContain("it is a pipe or a device")
    expect((await shell(box, `${asPipe} index --rebuild`)).stderr).toContain("Indexed 1 session")
    expect((await shell(box, `node "$MAIN" search needle`)).stdout).toContain("needle")
  })

  test("says that it waits for what never comes, and ends with 1", async () => {
    const box = sandbox()
    box.write("project/acme.js", "await new Promise(() => {})")
    const { stderr } = await shell(box, `node "$MAIN" config set agents ./acme.js; echo "exit $?" >&2`)
    expect(stderr).toMatch(/^treelog: The command waits for what never comes: .*\nexit 1\n?$/)
  })

  test("reports its version", async () => {
    expect((await shell(sandbox(), `node "$MAIN" --version`)).stdout).toBe(`${version}\n`)
  })
})

test("--version loads nothing at all", () => {
  expect([...loadedWith("main.js")]).toEqual([])
})

const quick = commands.flatMap(({ name, command }) => (command.bundledWith ? `commands/${name}` : []))

test("what people wait for is bundled", () => {
  expect(quick).toEqual(
    expect.arrayContaining(["commands/list", "commands/search", "commands/show", "commands/resume"]),
  )
})

test.each(["run", "tui/finder/find", ...quick])("%s is one file, which loads no package", (name) => {
  const loaded = [...loadedWith(`${name}.js`)]
  expect(loaded.filter((specifier) => isPackage(specifier) || specifier.startsWith("./"))).toEqual([])
})

test("the code for databases and buckets is loaded by those who name one", () => {
  const files = builtFiles()
  const commands = files.filter((file) => file === "run.js" || file.startsWith("commands/"))
  const loading = (name: string): string[] => commands.filter((file) => loadedWith(file).has(name)).sort()
  expect(commands.length).toBeGreaterThan(30)
  expect(loading("pg")).toEqual([])
  expect(loading("@treelog/blob-store-s3")).toEqual([])
  expect(loading("@treelog/storage-postgres")).toEqual(["commands/store.mjs"])
  // Not an empty check: this is where they are loaded.
  expect([...loadedWith("stores/open-postgres.mjs")]).toContain("@treelog/storage-postgres")
  expect([...loadedWith("store/bucket-blobs.mjs")]).toContain("@treelog/blob-store-s3")
  expect(files.flatMap(loadedLater)).toContain("pg")
})

test("what a built file imports of the others is there, and each source is built once", () => {
  const files = builtFiles()
  const ours = files
    .flatMap((file) => [...loadedWith(file), ...loadedLater(file)])
    .filter((path) => path.startsWith("./"))
  const missing = ours.filter((path) => !files.includes(path.slice("./".length)))
  expect(ours.length).toBeGreaterThan(100)
  expect(missing).toEqual([])
  const bundles = ["tui/finder/find.js", ...quick.map((name) => `${name}.js`)]
  const copies = bundles.map((path) => basename(path, ".js"))
  expect(files.filter((file) => copies.some((name) => file.startsWith(`${name}-`)))).toEqual([])
})

test.each([
  ["the licence of the command-line parser", "../node_modules/commander/LICENSE", "run.js"],
  ["the notice of the prices", "../../prices/NOTICE", "prices.js"],
])("%s goes with the code", (_, text, bundle) => {
  const words = (file: string) => readFileSync(file, "utf8").replace(/\s+/g, " ").trim()
  expect(words(join(dirname(MAIN), bundle))).toContain(words(fileURLToPath(new URL(text, import.meta.url))))
})

test("a list loads none of Node's own modules that are slow to load", () => {
  expect([...loadedWith("commands/list.js")]).not.toContain("node:crypto")
})

function environment(box: Sandbox): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: box.folder, TREELOG_AGENT_DIR: box.agentDir, MAIN }
}

function shell(box: Sandbox, command: string): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", command], { cwd: box.project, env: environment(box) })
    const [stdout, stderr]: [string[], string[]] = [[], []]
    child.stdout.on("data", (piece) => stdout.push(String(piece)))
    child.stderr.on("data", (piece) => stderr.push(String(piece)))
    child.on("close", () => resolve({ stdout: stdout.join(""), stderr: stderr.join("") }))
  })
}

test("what an ambiguous reference fits is listed by the built command, too", async () => {
  const box = sandbox()
  for (const id of ["aaaa-1", "aaaa-2"]) box.store([userEntry("one", null, "变更 🎉")], { id })
  const { stderr } = await shell(box, `node "$MAIN" show aaaa; node "$MAIN" context aaaa`)
  expect(stderr.match(/^ {2}aaaa-[12] .* 变更 🎉$/gm)).toHaveLength(4)
})
