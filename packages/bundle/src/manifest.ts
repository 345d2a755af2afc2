import { parsedJson } from "@treelog/session-core/json"
import { isFileName } from "@treelog-internal/fs"
import { BundleError } from "./bundle-error.js"

/** The first entry of a bundle: what follows, in this order. */
export interface Manifest {
  readonly sessions: readonly BundledSession[]
  readonly files: readonly BundledFile[]
}

export interface BundledSession {
  /** `sessions/1.jsonl`. Its artifacts are in `sessions/1/`. */
  readonly path: string
  /** The project that the store has it in, where that groups sessions by project. */
  readonly project?: string
  /** Whose store it is from, as `--store` takes it: `pi`, `omp:work`, `claude-code`. Missing where that is not known. */
  readonly store?: string
  /** Who bundled it, where that is known. */
  readonly person?: string
}

/** An entry of the archive: a session, an artifact or a blob. */
export interface BundledFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** 64 lower-case hex digits. */
  readonly sha256: string
}

export const MANIFEST = "manifest.json"
/** A manifest is read as a whole. Bytes. */
export const LARGEST_MANIFEST = 64 << 20
/** All files of a bundle together. Bytes. */
const LARGEST_BUNDLE = 2 ** 42

const FORMAT = "treelog-bundle"
const VERSION = 1

const SESSION = /^sessions\/[1-9]\d*\.jsonl$/
const ARTIFACT = /^(sessions\/[1-9]\d*)\/(.+)$/s
const BLOB = /^blobs\/([0-9a-f]{64})$/
const HASH = /^[0-9a-f]{64}$/

export function manifestText({ sessions, files }: Manifest): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, sessions, files }, null, 1)}\n`
}

/**
 * The manifest, if nothing that it names can leave the folder of a bundle, and nothing has two of its names.
 * @throws BundleError
 */
export function parseManifest(text: string): Manifest {
  const value = parsedJson(text)
  if (value === undefined) throw new BundleError("its manifest is not JSON")
  const { format, version, sessions, files } = fieldsOf(value)
  if (format !== FORMAT) throw new BundleError("its manifest is not the manifest of a bundle")
  if (version !== VERSION)
    throw new BundleError(`it has version ${String(version)}, and this treelog reads version 1: update treelog`)
  if (!Array.isArray(sessions) || !Array.isArray(files)) throw new BundleError("its manifest lacks a list")
  const manifest: Manifest = { sessions: sessions.map(sessionOf), files: files.map(fileOf) }
  const paths = new Set(manifest.files.map(({ path }) => path))
  const sessionPaths = new Set(manifest.sessions.map(({ path }) => path))
  if (paths.size < files.length || sessionPaths.size < sessions.length)
    throw new BundleError("two of its entries have one name")
  for (const path of sessionPaths) if (!paths.has(path)) throw new BundleError(`it lacks ${path}`)
  for (const file of manifest.files) assertPlace(file, sessionPaths)
  const total = totalOf(manifest)
  if (!(total <= LARGEST_BUNDLE)) throw new BundleError(`its files would have ${total} bytes`)
  return manifest
}

/** Bytes of all files. */
export function totalOf({ files }: Pick<Manifest, "files">): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

function sessionOf(value: unknown): BundledSession {
  const { path, project, store, person } = fieldsOf(value)
  if (typeof path !== "string" || !SESSION.test(path)) throw unsafe(path)
  const texts = Object.entries({ project, store, person }).filter(([, text]) => text !== undefined)
  for (const [field, text] of texts)
    if (typeof text !== "string") throw new BundleError(`${path} has no valid ${field}`)
  return { path, ...Object.fromEntries(texts) }
}

function fileOf(value: unknown): BundledFile {
  const { path, size, sha256 } = fieldsOf(value)
  if (typeof path !== "string") throw unsafe(path)
  if (!Number.isSafeInteger(size) || (size as number) < 0) throw new BundleError(`${path} has no valid size`)
  if (typeof sha256 !== "string" || !HASH.test(sha256)) throw new BundleError(`${path} has no valid hash`)
  return { path, size: size as number, sha256 }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

/** A file is a listed session, an artifact of one, or a blob of the name of its hash. */
function assertPlace({ path, sha256 }: BundledFile, sessions: ReadonlySet<string>): void {
  if (sessions.has(path) || BLOB.exec(path)?.[1] === sha256) return
  const [, session, inside = ""] = ARTIFACT.exec(path) ?? []
  if (session === undefined || !sessions.has(`${session}.jsonl`) || !inside.split("/").every(isFileName))
    throw unsafe(path)
}

function unsafe(path: unknown): BundleError {
  return new BundleError(`${JSON.stringify(path) ?? "nothing"} is not the name of a file in a bundle`)
}
