import { execFile, spawn } from "node:child_process"
import { existsSync, constants as fsConstants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { constants } from "node:os"
import { delimiter, join } from "node:path"
import { type SessionInfo, TreelogError } from "@treelog/session-core"
import { type Agent, agentsOf, placeOf, type Surroundings } from "@treelog/stores"
import { isFolder, placesOf } from "@treelog-internal/fs"
import { cleanLine } from "@treelog-internal/text"
import { UsageError } from "../errors/exit-codes.js"
import type { StoreOptions } from "../io/command-context.js"
import { commandLine, shellWord } from "../io/shell-command.js"

/** They take the path of a session, others its id. */
const PI_AND_RELATIVES = ["pi", "omp", "xcsh"] as const

/** Where agents are looked up by their names: those of plug-ins, too. */
type KnownAgents = Pick<Surroundings, "plugIns">

export type ResumingAgent = (typeof PI_AND_RELATIVES)[number] | Agent

/** How an agent is started with a session. */
interface AgentCommand {
  readonly agent: ResumingAgent
  /** Found on PATH. */
  readonly program: string
  readonly args: readonly string[]
  /** Of the environment, where the session is in another store than the agent's own. */
  readonly variables: Readonly<Record<string, string>>
  /** The folder of the session: agents look for their files, and some for the session, in the current one. */
  readonly cwd: string
  /** Of the session. */
  readonly id: string
}

type ResumedSession = Pick<SessionInfo, "path" | "id" | "cwd"> & { readonly isFork?: boolean }

function startOf(
  agent: ResumingAgent,
  { path, id, isFork }: ResumedSession,
  known: KnownAgents,
): readonly [program: string, ...args: string[]] {
  if (isFork && !canFork(agent, known)) throw new UsageError(`${agent} makes no copies: --with continues in one.`)
  if (agent === "pi" || agent === "omp" || agent === "xcsh") return [agent, isFork ? "--fork" : "--session", path]
  const { resume, fork } = placeOf(known, agent)
  const [program, ...args] = (isFork ? fork : resume) ?? [agent]
  return [program, ...args.map((arg) => arg.replace("$ID", () => id))]
}

/** Whether an agent goes on in a copy that it makes itself. */
export function canFork(agent: ResumingAgent, known: KnownAgents): boolean {
  if (agent === "omp" || agent === "xcsh") return false
  return agent === "pi" || placeOf(known, agent).fork !== undefined
}

/** An id comes from a file of any origin: one that begins with a dash would be an option of the agent. */
const ID = /^[A-Za-z0-9][\w.-]*$/

/** The command that continues a session of an agent. @throws InvalidArgumentError for an id that no agent writes */
export function agentCommand(
  agent: ResumingAgent,
  session: ResumedSession,
  variables: AgentCommand["variables"] = {},
  known: KnownAgents = {},
): AgentCommand {
  if (!ID.test(session.id)) {
    const message = `${agent} is not started with a session of the id ${JSON.stringify(session.id)}: no agent writes such ids.`
    throw new TreelogError("InvalidArgumentError", message, { argument: "id", value: session.id })
  }
  const [program, ...args] = startOf(agent, session, known)
  const cwd = placesOf(session.cwd).find((path) => existsSync(path)) ?? session.cwd
  return { agent, program, args, variables, cwd, id: session.id }
}

/** The agent that owns the sessions of a store, or of a profile; undefined for treelog's own, and for other folders. */
export function agentOfStore(known: KnownAgents, store: string | undefined): ResumingAgent | undefined {
  const resuming = [...PI_AND_RELATIVES, ...agentsOf(known).filter((agent) => placeOf(known, agent).resume)]
  return resuming.find((agent) => agent === store?.replace(/:.*/, ""))
}

/** Exit codes above this are 128 and the number of the signal that ended the process, as in shells. */
const SIGNALLED = 128

/**
 * Checks what an agent needs to be started, before anything is written for it.
 * @param next the command that goes on once the agent is installed. Default: the agent's
 * @param store the options that name the store of the session, where its sessions can be moved to another folder
 * @throws SessionNotFoundError where the folder of the session is gone, or not known; StorageError where the agent is not installed
 */
export async function requireStart(
  command: AgentCommand,
  env: Readonly<NodeJS.ProcessEnv>,
  next?: string,
  store?: StoreOptions,
): Promise<void> {
  const { program, cwd } = command
  if (!(await isFolder(cwd))) throw folderIsGone(command, store)
  if (!(await isOnPath(program, env))) throw notStarted(command, { code: "ENOENT", message: "not found" }, next)
}

/** How long an agent may take to say its version. Milliseconds. */
const PATIENCE = 20_000

/**
 * The version of an agent, as its command says it; undefined where it says none.
 * @param oldest the oldest one that does
 * @param before the first one that lists them no more
 * @throws StorageError for another one
 */
export async function versionOf(
  { program }: Pick<AgentCommand, "program">,
  env: Readonly<NodeJS.ProcessEnv>,
  { oldest, before }: { readonly oldest: string; readonly before?: string },
): Promise<string | undefined> {
  const output = await new Promise<string>((resolve) => {
    const options = { env: { ...env }, timeout: PATIENCE }
    execFile(program, ["--version"], options, (_, stdout) => resolve(stdout))
  })
  const version = /\d+\.\d+(?:\.\d+)*/.exec(output)?.[0]
  const isNewer = version !== undefined && before !== undefined && !isOlder(version, before)
  if (version === undefined || (!isOlder(version, oldest) && !isNewer)) return version
  const other = `${oldest} or a newer one${before === undefined ? "" : `, before ${before}`}`
  const message = `\`${program}\` is version ${version}, which does not list what others write: install ${other}.`
  throw new TreelogError("StorageError", message, { key: program, operation: "read", errno: undefined })
}

function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]]
  const at = other.findIndex((number, index) => number !== (own[index] ?? 0))
  return at !== -1 && (own[at] ?? 0) < (other[at] ?? 0)
}

function folderIsGone(
  { id, cwd }: AgentCommand,
  store: StoreOptions | undefined,
): TreelogError<"SessionNotFoundError"> {
  const why = cwd === "" ? "The session names no folder to go on in." : `The folder of the session is gone: ${cwd}.`
  const moving = ["relocate", "--from", cwd, "--to", "NEW", "--apply"]
  const copying = `a copy in another folder: ${commandLine(["fork", id, "--to", "FOLDER"], {})}`
  const next =
    store && cwd !== "" ? `Where it was renamed: ${commandLine(moving, store)}; for ${copying}` : `For ${copying}`
  return new TreelogError("SessionNotFoundError", `${why} ${next}`, { ref: cwd })
}

/** Windows finds programs by more than their names. */
async function isOnPath(program: string, { PATH = "/usr/bin:/bin" }: Readonly<NodeJS.ProcessEnv>): Promise<boolean> {
  if (process.platform === "win32") return true
  for (const folder of PATH.split(delimiter)) if (await isExecutable(join(folder || ".", program))) return true
  return false
}

async function isExecutable(path: string): Promise<boolean> {
  const [found] = await Promise.allSettled([access(path, fsConstants.X_OK).then(() => stat(path))])
  return found.status === "fulfilled" && found.value.isFile()
}

/**
 * Runs an agent in this terminal, without a shell, and waits for its end.
 * @returns its exit code
 * @throws what `requireStart` throws
 */
export async function runAgent(command: AgentCommand, env: Readonly<NodeJS.ProcessEnv>): Promise<number> {
  const { program, args, variables, cwd } = command
  await requireStart(command, env)
  return new Promise((resolve, reject) => {
    const agent = spawn(program, args, { cwd, env: { ...env, ...variables }, stdio: "inherit" })
    agent.once("error", (error: NodeJS.ErrnoException) => reject(notStarted(command, error)))
    agent.once("exit", (code, signal) => resolve(code ?? SIGNALLED + (signal ? constants.signals[signal] : 0)))
  })
}

function notStarted(
  command: AgentCommand,
  error: Pick<NodeJS.ErrnoException, "code" | "message">,
  next = agentLine(command),
): TreelogError<"StorageError"> {
  const { program } = command
  const why =
    error.code === "ENOENT"
      ? `\`${program}\` is not installed, or not on PATH`
      : `\`${program}\` cannot be started: ${error.message}`
  const message = `${why}. Once it is, continue with: ${next}`
  return new TreelogError(
    "StorageError",
    message,
    { key: program, operation: "read", errno: error.code },
    { cause: error },
  )
}

export function agentLine({ program, args, variables, cwd }: AgentCommand): string {
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(cleanLine(value))}`)
  const words = [...settings, ...[program, ...args].map((word) => shellWord(cleanLine(word)))]
  return `cd ${shellWord(cleanLine(cwd))} && ${words.join(" ")}`
}
