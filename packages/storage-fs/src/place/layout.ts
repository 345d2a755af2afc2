import { tmpdir } from "node:os"
import { basename, dirname, join, resolve, sep } from "node:path"
import type { SessionPlace } from "@treelog/session-core/adapter"
import { type Env, type FsPort, homeOf, ifAllowed, withoutTilde } from "@treelog-internal/fs"
import { bucketName, bucketNames, type KnownFolders, relativeBucketName } from "./bucket-name.js"
import { agentDirOf, type Preset } from "./program-folders.js"
import { assertFolder, idOfFileName, SESSION_SUFFIX, sessionFileName } from "./session-name.js"

export interface LayoutOptions {
  readonly agentDir: string | undefined
  readonly sessionDir: string | undefined
  readonly preset: Preset | undefined
  readonly env: Env
  /** Resolves links in the names of folders; nothing else on the disk is read. */
  readonly fs: Pick<FsPort, "realpathSync">
}

/** Which name is where, under one agent folder (FORMAT.md, section 1). A key is an absolute path. */
export class Layout {
  readonly agentDir: string
  /** The one folder of all sessions, when they are not in buckets. */
  readonly sessionDir: string | undefined
  /** Where a version of pi put session files beside its other files. */
  readonly flatDir: string | undefined
  readonly #known: KnownFolders
  readonly #hasRelativeBuckets: boolean
  readonly #fs: Pick<FsPort, "realpathSync">

  constructor({ agentDir, sessionDir, preset, env, fs }: LayoutOptions) {
    this.#known = {
      home: homeOf(env),
      // When it is first needed: it takes 20 microseconds.
      get tmp() {
        return env.TMPDIR || tmpdir()
      },
    }
    this.#fs = fs
    this.agentDir = this.#absolute(agentDir ?? agentDirOf(preset ?? "treelog", env))
    this.sessionDir = sessionDir === undefined ? undefined : this.#absolute(sessionDir)
    const isStoreOf = (program: Preset) => this.agentDir === this.#absolute(agentDirOf(program, env))
    const programs: readonly Preset[] = ["omp", "xcsh"]
    const isPi = preset === undefined ? isStoreOf("pi") : preset === "pi"
    this.flatDir = isPi && this.sessionDir === undefined ? this.agentDir : undefined
    this.#hasRelativeBuckets = preset === undefined ? programs.some(isStoreOf) : programs.includes(preset)
  }

  get sessionsDir(): string {
    return join(this.agentDir, "sessions")
  }

  get breadcrumbsDir(): string {
    return join(this.agentDir, "terminal-sessions")
  }

  keyFor(place: SessionPlace): string {
    assertFolder(place.cwd)
    return join(this.sessionDir ?? join(this.sessionsDir, this.#bucketOf(place.cwd)), sessionFileName(place))
  }

  /** The key with its file name in the bucket of another directory. What lies in no bucket of the store stays where it is. */
  keyMoved(key: string, to: string): string {
    if (this.sessionDir !== undefined || dirname(dirname(key)) !== this.sessionsDir) return key
    assertFolder(to)
    return join(this.sessionsDir, this.#bucketOf(to), basename(key))
  }

  /** The names of all buckets that may hold sessions of the directory, whichever program made them. */
  bucketNames(cwd: string): Set<string> {
    return new Set([...bucketNames(cwd, this.#known), ...bucketNames(this.#withoutLinks(cwd), this.#real)])
  }

  /** A reference is a path when it looks like one: it has a separator, or ends as session files do. */
  keyFromRef(ref: string): string | undefined {
    const isPath = ref.includes("/") || ref.includes(sep) || ref.endsWith(SESSION_SUFFIX)
    return isPath && !ref.includes("\0") ? this.#absolute(ref) : undefined
  }

  /** Whether a session of that name would be listed: in a bucket, or in the one folder of all sessions. */
  isInside(key: string): boolean {
    const folder = dirname(key)
    const isListed = this.sessionDir === undefined ? dirname(folder) === this.sessionsDir : folder === this.sessionDir
    const isFlat = folder === this.flatDir && idOfFileName(basename(key)) !== undefined
    return (isListed || isFlat) && key.endsWith(SESSION_SUFFIX) && resolve(key) === key
  }

  folderOf(key: string): string {
    return dirname(key)
  }

  #bucketOf(cwd: string): string {
    const isRelative = this.#hasRelativeBuckets && cwd !== ""
    return isRelative ? relativeBucketName(this.#withoutLinks(cwd), this.#real) : bucketName(cwd)
  }

  get #real(): KnownFolders {
    return { home: this.#withoutLinks(this.#known.home), tmp: this.#withoutLinks(this.#known.tmp) }
  }

  /** A folder that is gone, or that we may not enter, can still have sessions, under the name that the caller passed. */
  #withoutLinks(path: string): string {
    return ifAllowed(() => this.#fs.realpathSync(path)) ?? resolve(path)
  }

  #absolute(path: string): string {
    return resolve(withoutTilde(path, this.#known.home))
  }
}
