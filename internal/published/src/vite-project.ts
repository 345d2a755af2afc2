import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { install } from "./project.js"
import { ROOT } from "./root.js"
import { runWell } from "./run-command.js"
import { temporaryFolder } from "./temporary-folder.js"

export interface BuiltProject {
  /** What the build has to say. */
  readonly output: string
  /** The files of the page, by the paths that a browser asks for. */
  readonly files: ReadonlyMap<string, Buffer>
  /** The modules that the scripts are made of, as paths from the project. */
  readonly modules: readonly string[]
}

const CREATE_VITE = join(ROOT, "internal/published/node_modules/create-vite/index.js")

/** A project as `npm create vite` makes it, with session-core and a script of its own, built. */
export async function buildViteProject(main: string): Promise<BuiltProject> {
  const parent = await temporaryFolder("vite")
  await runWell(process.execPath, [CREATE_VITE, "app", "--template", "vanilla-ts"], { cwd: parent })
  const folder = join(parent, "app")
  const versions = { vite: await ourVersion("vite"), typescript: await ourVersion("typescript") }
  await install(folder, "pnpm", ["@treelog/session-core"], { versions })
  await writeFile(join(folder, "src", "main.ts"), main)
  const { stdout, stderr } = await runWell("npm", ["run", "build", "--", "--sourcemap"], { cwd: folder })
  const files = await filesIn(join(folder, "dist"))
  return { output: stdout + stderr, files, modules: modulesOf(files) }
}

/** The version that our workspace has, which is at hand. */
async function ourVersion(name: string): Promise<string> {
  return JSON.parse(await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8")).version
}

async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const read = async (path: string) =>
    [path.slice(folder.length).replaceAll("\\", "/"), await readFile(path)] as [string, Buffer]
  return new Map(await Promise.all(paths.map(read)))
}

function modulesOf(files: ReadonlyMap<string, Buffer>): string[] {
  const maps = [...files].filter(([path]) => path.endsWith(".js.map"))
  return maps.flatMap(([, bytes]) => JSON.parse(bytes.toString()).sources as string[])
}
