import { chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, unlinkSync } from "node:fs"
import type { Server } from "node:net"
import { basename, dirname, join } from "node:path"
import { randomIds } from "@treelog/session-core/adapter"
import { FILE_MODE, ifAllowed } from "@treelog-internal/fs"
import { nodeNet, nodeWorkerThreads } from "../lazy-modules.js"
import { mayHaveLocksIn } from "./own-locks.js"
import { FIRST_SPACE, hasEnded, isOfThisBoot, isSeen, ownIdentity, type ProcessIdentity } from "./process-identity.js"

// How a process proves to one that cannot see it, in another namespace of pids of the same machine, that it lives.
//
// A process in an inner namespace (a sandbox, a container) that has locks in a store listens on a Unix socket in its folder, and its locks name it. The system accepts a connection to it for as
// long as the process has it open: also while the process is stopped, or its event loop is blocked. The system closes it when the last thread of
// the process has ended, and nothing of the process can write any more: from then on it refuses connections (ECONNREFUSED), and that
// alone is a proof. A socket that is not there, may not be used (another user, a policy) or does not answer proves nothing: the lock is held.
//
// A refusal has to come from the very socket of the process: it listens before a lock names it, its name is never given twice, and the lock has its
// device and inode. Through another file system over the same files (FUSE, overlays) a socket is another one, without a listener.
//
// A process in the first namespace makes none: loading what listens takes a third of the time of the first append of a process. Whoever opens the
// session on the machine itself sees that it has ended; for a sandbox its lock is held until then.
//
// A killed process leaves its socket, which has to stay for as long as a lock names it: `removeOrphans` removes it after the locks.

/** What a lock says of the socket of its process. */
export interface Liveness {
  /** From the folder of the lock: a name in it, or in the folder above. */
  readonly path: string
  /** Device and inode. */
  readonly file: string
}

type Life = "alive" | "ended" | "unknown"

interface Listening {
  readonly server: Server
  readonly path: string
  readonly file: string
}

/** Boot, namespace, pid, start, and random digits: who sees the processes of the namespace knows by the name whether this one has ended. */
const NAME = /^\.([0-9a-f]{8})-(\d+)-(\d+)-(\d+)-[0-9a-f]{8}\.live$/

/** By folder; undefined where none can be made. */
const listening = new Map<string, Listening | undefined>()
let [isWatchingExit, isExiting] = [false, false]

/**
 * What a new lock of this process says. Undefined where there is no socket: then the lock has no proof.
 * @param folder of the store: that of the lock, or the one above
 */
export function ownLiveness(folder: string | undefined, lockPath: string): Liveness | undefined {
  const near = dirname(lockPath)
  if (folder === undefined || (folder !== near && folder !== dirname(near))) return undefined
  const socket = socketIn(folder)
  return socket && { path: `${folder === near ? "" : "../"}${basename(socket.path)}`, file: socket.file }
}

/** Another release may write it otherwise. */
function isLiveness(value: unknown): value is Liveness {
  if (typeof value !== "object" || value === null) return false
  const { path, file } = value as Record<string, unknown>
  return typeof path === "string" && NAME.test(path.replace(/^\.\.\//, "")) && typeof file === "string"
}

/** Whether the process of a lock lives; "unknown" where it can neither be seen nor asked. */
export function lifeOf(lockPath: string, owner: ProcessIdentity & { readonly liveness?: unknown }): Life {
  if (hasEnded(owner)) return "ended"
  if (isSeen(owner)) return "alive"
  const { liveness } = owner
  if (!isLiveness(liveness) || !isOfThisBoot(owner)) return "unknown"
  const path = join(dirname(lockPath), liveness.path)
  return fileAt(path) === liveness.file ? lifeAt(path) : "unknown"
}

/**
 * The sockets in a folder whose processes have ended. Of those that cannot be seen, the old ones are asked; old ones of an earlier start of the
 * machine count as ended, though they may be of another machine: then locks lack a proof until their process makes another.
 */
export function endedSockets(folder: string, isOld: (modified: number) => boolean): string[] {
  const names = ifAllowed(() => readdirSync(folder)) ?? []
  return names.map((name) => join(folder, name)).filter((path) => hasEndedAt(path, isOld))
}

function hasEndedAt(path: string, isOld: (modified: number) => boolean): boolean {
  const [, start, space, pid, started] = NAME.exec(basename(path)) ?? []
  const { boot, host } = ownIdentity()
  if (boot === undefined || start === undefined || started === undefined) return false
  const isOfBoot = boot.startsWith(start)
  const owner = { pid: Number(pid), host, boot, space: `pid:[${space}]`, started }
  if (isOfBoot && (isSeen(owner) || hasEnded(owner))) return hasEnded(owner)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isSocket() === true && isOld(stat.mtimeMs) && (!isOfBoot || lifeAt(path) === "ended")
}

function socketIn(folder: string): Listening | undefined {
  const known = listening.get(folder)
  if (known ? fileAt(known.path) === known.file : listening.has(folder)) return known
  const { boot, space, started, pid } = ownIdentity()
  const [number] = /\d+/.exec(space ?? "") ?? []
  if (isExiting || space === FIRST_SPACE || boot === undefined || number === undefined || started === undefined)
    return undefined
  if (!lstatSync(folder, { throwIfNoEntry: false })) return undefined
  close(folder)
  if (!isWatchingExit) process.once("exit", closeAll)
  isWatchingExit = true
  const name = `.${boot.slice(0, 8)}-${number}-${pid}-${started}-${randomIds.entryId()}.live`
  const socket = listen(folder, name)
  listening.set(folder, socket)
  return socket
}

function listen(folder: string, name: string): Listening | undefined {
  return inFolder(folder, (open) => {
    const server = nodeNet().createServer((connection) => connection.destroy())
    // Whether it listens is seen at once; a connection that cannot be accepted was made anyway.
    server.on("error", () => {})
    server.listen({ path: `${open}/${name}`, exclusive: true })
    if (!server.listening) return undefined
    server.unref()
    const path = join(folder, name)
    chmodSync(path, FILE_MODE)
    const file = fileAt(path)
    return file === undefined ? undefined : { server, path, file }
  })
}

/** Closes the socket of a store in which this process has no lock: it would keep the disk from being unmounted. */
export function closeIdleSocket(folder: string | undefined): void {
  if (folder !== undefined && listening.has(folder) && !mayHaveLocksIn(folder)) close(folder)
}

function close(folder: string): void {
  const socket = listening.get(folder)
  listening.delete(folder)
  if (!socket) return
  ifAllowed(() => unlinkSync(socket.path))
  socket.server.close()
}

/** Where a lock may be left, the socket stays, and proves that the process has ended. */
function closeAll(): void {
  isExiting = true
  for (const folder of [...listening.keys()]) closeIdleSocket(folder)
}

/** Milliseconds. */
const [ALIVE_FOR, LONGEST_ANSWER] = [250, 2000]
/** Until when a process counts as alive that answered: who waits for a lock asks often. */
const aliveUntil = new Map<string, number>()

function lifeAt(path: string): Life {
  if ((aliveUntil.get(path) ?? 0) > performance.now()) return "alive"
  const life = inFolder(dirname(path), (open) => ask(`${open}/${basename(path)}`)) ?? "unknown"
  if (life === "alive") aliveUntil.set(path, performance.now() + ALIVE_FOR)
  else aliveUntil.delete(path)
  return life
}

// A lock is taken without promises, and Node connects only with them: another thread asks while this one waits.
const ASK = `
const { workerData: { path, answer } } = require("node:worker_threads")
const say = (code) => { Atomics.store(answer, 0, code); Atomics.notify(answer, 0) }
const connection = require("node:net").connect(path, () => { say(1); connection.destroy() })
connection.on("error", ({ code }) => say(code === "ECONNREFUSED" ? 2 : 3))
`

function ask(path: string): Life {
  const answer = new Int32Array(new SharedArrayBuffer(4))
  const { Worker } = nodeWorkerThreads()
  const worker = new Worker(ASK, { eval: true, workerData: { path, answer }, execArgv: [], env: {} })
  // A thread that cannot run gives no answer.
  worker.on("error", () => {})
  worker.unref()
  Atomics.wait(answer, 0, 0, LONGEST_ANSWER)
  return answer[0] === 1 ? "alive" : answer[0] === 2 ? "ended" : "unknown"
}

/** By the number of the open folder: the path of a socket has at most 107 bytes. Undefined where the system refuses it. */
function inFolder<T>(folder: string, work: (open: string) => T): T | undefined {
  return ifAllowed(() => {
    const open = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      return work(`/proc/self/fd/${open}`)
    } finally {
      closeSync(open)
    }
  })
}

/** Device and inode of a socket. */
function fileAt(path: string): string | undefined {
  const stat = ifAllowed(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }))
  return stat?.isSocket() ? `${stat.dev}:${stat.ino}` : undefined
}
