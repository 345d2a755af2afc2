import { mkdtemp, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { ROOT } from "./root.js"
import { run } from "./run-command.js"

export type ModuleResolution = "nodenext" | "bundler"

export const MODULE_RESOLUTIONS: readonly ModuleResolution[] = ["nodenext", "bundler"]

/** Every night the compiler that most users have; otherwise the native one, which takes a fifth of the time. */
const COMPILER = process.env.TREELOG_LONG === undefined ? "typescript-native" : "typescript"

/** What `tsc --init` writes, but for the declarations of packages, which are checked, too. */
const STRICT = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: false }

export interface TypeCheckOptions {
  readonly resolution: ModuleResolution
  /** Whether the types of Node are there. */
  readonly node: boolean
  /** Such as `["es2022", "dom"]`; without these, those of the browser are left out. */
  readonly lib?: readonly string[]
}

/**
 * What TypeScript finds wrong with files of a project, and with every declaration that they come to from there.
 * @returns a line for each fault
 */
export async function typeFaults(files: readonly string[], how: TypeCheckOptions): Promise<string[]> {
  const { resolution, node, lib = ["es2022"] } = how
  const compilerOptions = {
    ...STRICT,
    module: resolution === "nodenext" ? "nodenext" : "esnext",
    moduleResolution: resolution,
    target: "es2022",
    lib,
    types: node ? ["node"] : [],
    typeRoots: [join(ROOT, "node_modules", "@types")],
    noEmit: true,
  }
  const folder = await mkdtemp(join(dirname(files[0] ?? ""), "types-"))
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }))
  const compiler = join(ROOT, "node_modules", COMPILER, "bin", "tsc")
  const { stdout } = await run(process.execPath, [compiler, "-p", folder, "--pretty", "false"], { cwd: folder })
  return stdout.split("\n").filter((line) => /\berror TS\d+/.test(line))
}
