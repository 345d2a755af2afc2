import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { parse } from "yaml"
import { ROOT } from "./root.js"

type Versions = Readonly<Record<string, string>>

interface LockFile {
  readonly importers: Record<string, { dependencies?: Locked; optionalDependencies?: Locked }>
  readonly snapshots: Record<string, { dependencies?: Versions; optionalDependencies?: Versions }>
}

type Locked = Record<string, { version: string }>

let found: Promise<Versions> | undefined

/**
 * The versions in which our lock file has what the published packages bring along: tests install those, and not whatever
 * came out today. What it has in several versions is left to the package manager.
 */
export function lockedVersions(): Promise<Versions> {
  found ??= readVersions()
  return found
}

async function readVersions(): Promise<Versions> {
  const { importers, snapshots } = parse(await readFile(join(ROOT, "pnpm-lock.yaml"), "utf8")) as LockFile
  const versions = new Map<string, Set<string>>()
  const left = Object.entries(importers)
    .filter(([folder]) => folder.startsWith("packages/"))
    .flatMap(([, { dependencies, optionalDependencies }]) =>
      Object.entries({ ...dependencies, ...optionalDependencies }),
    )
    .map(([name, { version }]) => [name, version] as const)
  for (let next = left.pop(); next; next = left.pop()) {
    const [name, version] = next
    const known = versions.get(name) ?? new Set()
    if (version.startsWith("link:") || known.has(version)) continue
    versions.set(name, known.add(version))
    const { dependencies, optionalDependencies } = snapshots[`${name}@${version}`] ?? {}
    left.push(...Object.entries({ ...dependencies, ...optionalDependencies }))
  }
  const once = [...versions].filter(([, known]) => known.size === 1)
  return Object.fromEntries(once.map(([name, [version = ""]]) => [name, version.replace(/\(.*/, "")]))
}
