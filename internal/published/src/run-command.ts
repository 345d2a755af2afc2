import { spawn } from "node:child_process"
import { delimiter } from "node:path"
import { userEnvironment } from "./user-environment.js"

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** A folder whose commands come before those of the system. */
  readonly commandsOf?: string | undefined
}

/** More at once would only wait for one another: what runs here computes. */
const AT_ONCE = 2
let running = 0
const waiting: (() => void)[] = []

/** Runs a command as a user would, when it is its turn, and keeps what it prints. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  if (running === AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await start(command, args, options)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** Runs a command that has to succeed. */
export async function runWell(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const ran = await run(command, args, options)
  if (ran.code === 0) return ran
  throw new Error(`${[command, ...args].join(" ")} ended with ${ran.code}\n${ran.stdout}${ran.stderr}`)
}

function start(command: string, args: readonly string[], { cwd, env = {}, commandsOf }: RunOptions): Promise<Ran> {
  const environment = userEnvironment(env)
  if (commandsOf !== undefined) environment.PATH = commandsOf + delimiter + environment.PATH
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece
    })
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      stderr += piece
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
}
