import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { SessionHeader } from "@treelog/session-core"
import { sessionText, TEST_START, testHeader } from "@treelog-internal/test-kit"
import { onTestFinished } from "vitest"
import type { Io, Output, Terminal } from "./door.js"
import { run } from "./door.js"

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Each line of stdout as JSON. */
  readonly json: ReadonlyArray<Record<string, unknown>>
}

export interface World {
  readonly stdin?: string
  readonly stdinBytes?: Uint8Array
  readonly env?: Record<string, string>
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  /** Where there is none, nothing is paged. */
  readonly startPager?: Io["startPager"]
  readonly interrupted?: AbortSignal
  /** There is a terminal, which nothing is read from. */
  readonly isAsked?: boolean
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Sees everything that is written, on stdout or stderr. */
  readonly onWrite?: (text: string) => void
  /** The same as bytes. */
  readonly onBytes?: (bytes: Uint8Array) => void
}

/** A store and a project in a temporary folder, and the command line on them, in this process. */
export class Sandbox {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "treelog-cli-")))
  readonly agentDir = join(this.folder, "agent")
  readonly project = join(this.folder, "project")
  /** treelog's own cache, which every listing may write: apart from the folder, so that a snapshot of that does not see it. */
  readonly cacheDir = mkdtempSync(join(tmpdir(), "treelog-cli-cache-"))

  constructor() {
    mkdirSync(this.project)
  }

  async run(argv: readonly string[], world: World = {}): Promise<Ran> {
    const stdout = new Collected(world)
    const stderr = new Collected({ ...world, onBytes: () => {} })
    const io: Io = {
      stdout,
      stderr,
      readStdin: async () => world.stdin ?? "",
      stdinBytes: async function* () {
        yield world.stdinBytes ?? Buffer.from(world.stdin ?? "")
      },
      env: {
        HOME: this.folder,
        TREELOG_AGENT_DIR: this.agentDir,
        TREELOG_CACHE_DIR: this.cacheDir,
        TMPDIR: tmpdir(),
        ...(!world.startPager && { TREELOG_PAGER: "" }),
        ...world.env,
      },
      cwd: this.project,
      now: world.now ?? (() => TEST_START + 3_600_000),
      terminal: () => (world.isAsked ? ({} as Terminal) : undefined),
      startPager: world.startPager ?? (() => Promise.reject(new Error("There is no pager in this test."))),
      interrupted: world.interrupted ?? new AbortController().signal,
    }
    const code = await run(argv, io)
    return new Result(code, stdout.text, stderr.text)
  }

  /** What the command prints, without the line break at the end. Fails when the command does. */
  async print(...argv: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(argv)
    if (code !== 0) throw new Error(`treelog ${argv.join(" ")} ended with ${code}: ${stderr}`)
    return stdout.trimEnd()
  }

  /** Stores a session of the project. Lines can be given as text. Returns its path. */
  store(entries: readonly (object | string)[], header: Partial<SessionHeader> = {}): string {
    const whole = testHeader({ cwd: this.project, ...header })
    const bucket = `--${this.project.slice(1).replaceAll("/", "-")}--`
    return this.write(
      join("agent", "sessions", bucket, `2026-03-07T14-00-00-000Z_${whole.id}.jsonl`),
      sessionText(whole, ...entries),
    )
  }

  write(path: string, content: string | Uint8Array): string {
    const whole = join(this.folder, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, content)
    return whole
  }

  /** Writes a file whose path need not be UTF-8, in a folder that is there. */
  writeAt(path: Uint8Array, text: string): void {
    writeFileSync(Buffer.from(path), text)
  }

  /** Everything that a write would change: names, sizes, times and bytes. */
  snapshot(): string[] {
    return readdirSync(this.folder, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => {
        const path = join(this.folder, name)
        const stat = statSync(path)
        return `${name} ${stat.mtimeMs} ${stat.ino} ${stat.isFile() ? readFileSync(path, "base64") : ""}`
      })
  }
}

/** Tens of thousands of files take a while to remove. */
const CLEANING_MS = 120_000

export function sandbox(): Sandbox {
  const made = new Sandbox()
  onTestFinished(() => {
    for (const folder of [made.folder, made.cacheDir]) rmSync(folder, { recursive: true, force: true })
  }, CLEANING_MS)
  return made
}

class Collected implements Output {
  text = ""
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
  readonly #onWrite: World["onWrite"]
  readonly #onBytes: World["onBytes"]

  constructor({ isTTY = false, columns = 80, rows = 24, onWrite, onBytes }: World) {
    this.isTTY = isTTY
    this.columns = columns
    this.rows = rows
    this.#onWrite = onWrite
    this.#onBytes = onBytes
  }

  async write(content: string | Uint8Array): Promise<void> {
    const text = typeof content === "string" ? content : Buffer.from(content).toString("utf8")
    this.text += text
    this.#onWrite?.(text)
    this.#onBytes?.(Buffer.from(content))
  }
}

class Result implements Ran {
  constructor(
    readonly code: number,
    readonly stdout: string,
    readonly stderr: string,
  ) {}

  get json(): ReadonlyArray<Record<string, unknown>> {
    return this.stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
}
