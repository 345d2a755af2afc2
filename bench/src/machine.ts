import { execFileSync } from "node:child_process"
import { readFileSync, statfsSync } from "node:fs"
import { cpus, loadavg, platform, release, tmpdir, totalmem } from "node:os"
import { versionOfOmp } from "./contenders/omp.js"

/** On what the figures were taken. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  /** The file system of the folder for temporary files, in which everything is done. */
  readonly files: string
  readonly node: string
  /** Processes that wanted the machine in the minute before: above 0.5 or so, the figures are those of a busy one. */
  readonly load: number
}

const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  61267: "ext4",
  16914836: "tmpfs",
  1481003842: "xfs",
  2435016766: "btrfs",
  2035054128: "overlay",
}

export function thisMachine(): Machine {
  const { type } = statfsSync(tmpdir())
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    files: FILE_SYSTEMS[type] ?? `file system 0x${type.toString(16)}`,
    node: process.version,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

/** What was measured. */
interface Versions {
  /** The commit of treelog, with a `+` where the checkout differs from it; undefined outside of a checkout. */
  readonly treelog: string | undefined
  readonly pi: string
  readonly omp: string | undefined
}

// From the bundle in dist/.
const PI = new URL("../node_modules/@earendil-works/pi-coding-agent/package.json", import.meta.url)

export function theseVersions(): Versions {
  const pi = (JSON.parse(readFileSync(PI, "utf8")) as { version: string }).version
  return { treelog: commit(), pi, omp: versionOfOmp() }
}

function commit(): string | undefined {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  try {
    const [head, changes] = [git("rev-parse", "--short=12", "HEAD").trim(), git("status", "--porcelain")]
    return `${head}${changes === "" ? "" : "+"}`
  } catch (error) {
    if (isWithoutCommit(error)) return undefined
    throw error
  }
}

/** There is no git, or what is measured lies in no repository (git's exit code 128). */
function isWithoutCommit(error: unknown): boolean {
  const { code, status } = error as { code?: unknown; status?: unknown }
  return code === "ENOENT" || status === 128
}
