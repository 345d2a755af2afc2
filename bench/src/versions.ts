import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { versionOfOmp } from "./contenders/omp.js"

/** What was measured. */
export interface Versions {
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
