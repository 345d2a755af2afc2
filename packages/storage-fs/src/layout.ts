import { tmpdir } from "node:os"
import { basename, dirname, join, resolve, sep } from "node:path"
import type { SessionPlace } from "@treelog/session-core"
import { bucketName, bucketNameLike, type KnownFolders } from "./bucket-name.js"
import { type Env, homeOf, withoutTilde } from "./presets.js"
import { assertFolder, SESSION_SUFFIX, sessionFileName } from "./session-name.js"

/** Which name is where, under one agent folder (FORMAT.md, section 1). Touches no disk. A key is an absolute path. */
export class Layout {
  readonly agentDir: string
  /** The one folder of all sessions, when they are not in buckets. */
  readonly sessionDir: string | undefined
  readonly known: KnownFolders

  constructor(agentDir: string, sessionDir: string | undefined, env: Env) {
    this.known = { home: homeOf(env), tmp: env.TMPDIR || tmpdir() }
    this.agentDir = resolve(withoutTilde(agentDir, this.known.home))
    this.sessionDir = sessionDir === undefined ? undefined : resolve(withoutTilde(sessionDir, this.known.home))
  }

  get sessionsDir(): string {
    return join(this.agentDir, "sessions")
  }

  get breadcrumbsDir(): string {
    return join(this.agentDir, "terminal-sessions")
  }

  keyFor(place: SessionPlace): string {
    assertFolder(place.cwd)
    return join(this.sessionDir ?? join(this.sessionsDir, bucketName(place.cwd)), sessionFileName(place))
  }

  /** The same file name in the bucket of another directory. What lies in no bucket of the store stays where it is. */
  keyMoved(key: string, from: string, to: string): string {
    const bucket = dirname(key)
    if (this.sessionDir !== undefined || dirname(bucket) !== this.sessionsDir) return key
    assertFolder(to)
    return join(this.sessionsDir, bucketNameLike(basename(bucket), from, to, this.known), basename(key))
  }

  /** A reference is a path when it looks like one: it has a separator, or ends as session files do. */
  keyFromRef(ref: string): string | undefined {
    const isPath = ref.includes("/") || ref.includes(sep) || ref.endsWith(SESSION_SUFFIX)
    return isPath && !ref.includes("\0") ? resolve(withoutTilde(ref, this.known.home)) : undefined
  }

  folderOf(key: string): string {
    return dirname(key)
  }
}
