import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { SessionFacts } from "@treelog/session-core/adapter"
import {
  AgentSessionStorage,
  type AgentSource,
  type AgentStorageOptions,
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
  /** How many sessions were summarized. */
  summaries = 0

  constructor(readonly folder: string) {}

  async *list(): AsyncGenerator<SourceSession[]> {
    for (const name of (await readdir(this.folder)).sort()) {
      const session = name.endsWith(SUFFIX) ? await this.find(join(this.folder, name)) : undefined
      if (session) yield [session]
    }
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

  async convert({ key, id = "" }: SourceSession): Promise<Conversion> {
    this.conversions += 1
    const [cwd = "", ...said] = await linesOf(key)
    return {
      header: { type: "session", version: 3, id, timestamp: "2026-01-01T00:00:00.000Z", cwd },
      entries: said.map(messageEntry),
      report: { lines: 0, kinds: {}, unknownKinds: [], diagnostics: [] },
      async *artifacts() {},
    }
  }

  async files({ key }: SourceSession): Promise<readonly string[]> {
    return [key]
  }
}

async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, "utf8")).split("\n").filter((line) => line !== "")
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
