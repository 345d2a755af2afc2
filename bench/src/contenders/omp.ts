import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { commandPath } from "./command.js"
import type { PiManagers } from "./pi.js"

// omp runs on Bun only. Both together are a gigabyte, so they are not among the dependencies: they are used where they are installed.

/** The contender that the samples of Bun are taken of. */
export const OMP = "omp on Bun"
const BUN = commandPath("bun")
const COMMAND = commandPath("omp")
/** The package: the command of one that npm or Bun installed links to `dist/cli.js` in it. */
const PACKAGE = join(COMMAND ? realpathSync(COMMAND) : "", "../..")
const MODULE = join(PACKAGE, "src/session/session-manager.ts")

/** Why omp cannot run here; undefined where it can. */
export const OMP_IS_ABSENT =
  BUN && existsSync(MODULE) ? undefined : "it needs the commands `bun` and `omp`, the latter as npm installs it"

/** The program that takes a contender's samples. */
export function runtimeOf(contender: string): string {
  return contender === OMP ? (BUN as string) : process.execPath
}

/** omp's session manager: its sources, as Bun runs them. */
export async function loadOmp(): Promise<PiManagers> {
  const { SessionManager } = await import(pathToFileURL(MODULE).href)
  return SessionManager
}

/** Which omp, on which Bun; undefined where it cannot run. */
export function versionOfOmp(): string | undefined {
  if (OMP_IS_ABSENT) return undefined
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string }
  return `${version} on Bun ${execFileSync(BUN as string, ["--version"], { encoding: "utf8" }).trim()}`
}
