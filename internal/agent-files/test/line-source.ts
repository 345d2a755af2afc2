import { createHash } from "node:crypto"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { SessionFacts } from "@treelog/session-core/adapter"
import {
  AgentSessionStorage,
  type AgentSource,
  type AgentStorageOptions,
  type Checkpoint,
  type Conversion,
  type SourceSession,
} from "@treelog-internal/agent-files"

const SUFFIX = ".lines"

/** The agent of these tests: a session is a file of lines, its working directory and then a message of the user in each. */
export class LineSource implements AgentSource {
  readonly agent = "lines"
  readonly conversionVersion = 1
  /** How many sessions were converted. */
  conversions = 0
  /** How many of those went on. */
  resumed = 0
  /** How many sessions were summarized. */
  summaries = 0

  constructor(readonly folder: string) {}

  async *list(): AsyncGenerator<SourceSession[]> {
    for (const name of (await readdir(this.folder)).sort()) {
      const session = name.endsWith(SUFFIX) ? await this.find(join(this.folder, name)) : undefined
      if (session) yield [session]
    }
  }

  listsAll(): boolean {
    return true
  }

  async find(key: string): Promise<SourceSession | undefined> {
    const found = await stat(key, { bigint: true }).catch(() => undefined)
    if (!found?.isFile()) return undefined
    return {
      key,
      id: basename(key, SUFFIX),
      size: Number(found.size),
      modified: Number(found.mtimeNs) / 1e6,
      version: `${found.ino} ${found.size} ${found.mtimeNs}`,
    }
  }

  async facts({ key, id = "", size, modified }: SourceSession): Promise<SessionFacts> {
    this.summaries += 1
    const [cwd = "", ...said] = await linesOf(key)
    if (cwd === "") throw new TreelogError("InvalidSessionError", `No session: ${key}`, { key, found: "no line" })
    return { id, cwd, created: 1, modified, firstMessage: said[0] ?? "", size, status: "unknown" }
  }

  /** A line `!text` changes the line before, if that is the last one behind a checkpoint; one line `---` is a place to go on from. */
  async convert({ key, id = "" }: SourceSession, from?: Checkpoint): Promise<Conversion> {
    this.conversions += 1
    const lines = await linesOf(key)
    const [cwd = "", ...said] = lines
    const before = lines.slice(0, from?.entries ? from.entries + 1 : 0)
    const goesOn = from !== undefined && from.state.before === digestOf(before) && !said[from.entries]?.startsWith("!")
    if (goesOn) this.resumed += 1
    const start = goesOn ? from.entries : 0
    let checkpoint: Conversion["checkpoint"]
    function* entries(): Generator<object> {
      for (const [at, text] of said.entries()) {
        const next = said[at + 1]
        if (at >= start) yield messageEntry(next?.startsWith("!") ? `${text}${next}` : text, at)
        if (text === "---" && !next?.startsWith("!"))
          checkpoint = { entries: at + 1, state: () => ({ before: digestOf(lines.slice(0, at + 2)) }) }
      }
    }
    return {
      header: { type: "session", version: 3, id, timestamp: "2026-01-01T00:00:00.000Z", cwd },
      goesOn,
      entries: entries(),
      get checkpoint() {
        return checkpoint
      },
      report: { lines: lines.length, kinds: {}, unknownKinds: [], diagnostics: [] },
    }
  }

  async *artifacts() {}

  async files({ key }: SourceSession): Promise<readonly string[]> {
    return [key]
  }
}

async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, "utf8")).split("\n").filter((line) => line !== "")
}

function digestOf(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex")
}

function messageEntry(text: string, index: number): object {
  const place = {
    id: `m${index + 1}`,
    parentId: index === 0 ? null : `m${index}`,
    timestamp: "2026-01-01T00:00:01.000Z",
  }
  return { type: "message", ...place, message: { role: "user", content: text, timestamp: 1 } }
}

export class LineStorage extends AgentSessionStorage {}

/** A storage over a new folder of line sessions, with a cache folder of its own. */
export async function lineStorage(options: Partial<AgentStorageOptions> = {}) {
  const root = await mkdtemp(join(tmpdir(), "treelog-agent-"))
  const [folder, cacheDir] = [join(root, "source"), join(root, "cache")]
  const { mkdir } = await import("node:fs/promises")
  await mkdir(folder)
  const open = (more: Partial<AgentStorageOptions> = {}) => {
    const source = new LineSource(folder)
    return { source, storage: new LineStorage({ source, cacheDir, ...options, ...more }) }
  }
  const path = (id: string): string => join(folder, `${id}${SUFFIX}`)
  return { ...open(), open, root, folder, cacheDir, path, remove: () => rm(root, { recursive: true, force: true }) }
}

type Made = Awaited<ReturnType<typeof lineStorage>>

/** The bytes of a session, what a list says of it, and its identity. */
export async function readAll(storage: LineStorage, key: string) {
  const stat = await storage.statContent(key)
  const text = new TextDecoder().decode(await storage.readRange(key, 0, stat?.size ?? 0, stat?.identity))
  const found = await storage.summaries.find(key)
  return { size: stat?.size, identity: stat?.identity, text, info: found?.cached?.state.info }
}

/** As it is converted from its start. */
export async function wholeOf({ open }: Made, key: string) {
  const { identity: _, ...whole } = await readAll(open({ cacheDir: null }).storage, key)
  return whole
}
