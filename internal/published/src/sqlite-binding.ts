import { copyFile, mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { InstalledPackage } from "./installed-packages.js"
import { ROOT } from "./root.js"

const BINDING = join("build", "Release", "better_sqlite3.node")

/**
 * Puts the binding that our workspace has compiled into a better-sqlite3 whose scripts did not run: they would compile
 * for a minute and more, where nothing can be downloaded. Both have the version of our lock file.
 */
export async function giveSqliteBinding(packages: readonly InstalledPackage[]): Promise<void> {
  const compiled = join(ROOT, "packages", "history-sqlite", "node_modules", "better-sqlite3", BINDING)
  for (const { folder } of packages.filter(({ name }) => name === "better-sqlite3")) {
    await mkdir(dirname(join(folder, BINDING)), { recursive: true })
    await copyFile(compiled, join(folder, BINDING))
  }
}
