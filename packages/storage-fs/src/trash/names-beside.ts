import { basename, dirname, join } from "node:path"
import { isFolder } from "../artifacts.js"
import type { FsPort } from "../fs-port.js"
import { SESSION_SUFFIX } from "../session-name.js"

/** What rewrites and quarantine keep beside a session (FORMAT.md, section 1). */
const KEPT = /^\.(?:[\w-]+\.bak|corrupt-[^/\\]+?)(?:\.\d+)?(?:\.changes(?:\.\d+)?\.json)?$/

/** The names in the session's folder that belong to it: its artifacts, and what was kept of it. No locks, nothing unfinished. */
export async function namesBeside(fs: FsPort, key: string): Promise<string[]> {
  const [folder, session] = [dirname(key), basename(key)]
  const artifacts = session.endsWith(SESSION_SUFFIX) ? session.slice(0, -SESSION_SUFFIX.length) : undefined
  const names: string[] = []
  for (const { name } of await fs.readdir(folder)) {
    if (name === artifacts ? await isFolder(fs, join(folder, name)) : isKept(session, name)) names.push(name)
  }
  return names
}

function isKept(session: string, name: string): boolean {
  return name.startsWith(session) && !name.endsWith(SESSION_SUFFIX) && KEPT.test(name.slice(session.length))
}
