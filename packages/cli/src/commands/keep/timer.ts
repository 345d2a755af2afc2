import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { platform } from "node:os"
import { dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { agentsOf, placeOf } from "@treelog/stores"
import { absoluteFolder, toStorageError } from "@treelog-internal/fs"
import { UsageError } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { shellWord } from "../../io/shell-command.js"

/** How often it runs. Minutes. */
const MINUTES = 10
const NAME = "treelog-keep"
/** What the line of a crontab ends with. */
const MARK = `# ${NAME}`

/** What starts `treelog keep` again and again: files, and the programs that take notice of them. */
interface Timer {
  readonly kind: "systemd" | "launchd" | "cron"
  /** By their absolute paths. */
  readonly files: Readonly<Record<string, string>>
  readonly starting: readonly (readonly string[])[]
  readonly stopping: readonly (readonly string[])[]
  /** What is to be run when the files are gone. */
  readonly removed: readonly (readonly string[])[]
}

/** Installs the timer of this machine, and prints what it consists of. @param into the folder with the copies, an absolute path */
export async function installTimer(context: CommandContext, into: string): Promise<void> {
  const timer = await timerOf(context, into)
  // A former one would go on as it was: launchd reads no file again.
  if (timer.kind === "launchd") await runAll(context, timer.stopping)
  for (const [path, content] of Object.entries(timer.files)) {
    await mkdir(dirname(path), { recursive: true }).catch((error) => failed(error, path))
    await writeFile(path, content).catch((error) => failed(error, path))
  }
  if (timer.kind === "cron") await writeCrontab(context, cronLine(context, into))
  await runAll(context, timer.starting)
  if (context.options.json) await context.printJson({ timer: timer.kind, files: Object.keys(timer.files) })
  else
    await context.print(
      timer.kind === "cron"
        ? [cronLine(context, into)]
        : Object.entries(timer.files).flatMap(([path, content]) => [path, ...content.trimEnd().split("\n"), ""]),
    )
  await context.log(
    `The timer of ${timer.kind} runs treelog keep every ${MINUTES} minutes; treelog keep --uninstall removes it.`,
  )
}

/** Removes the timer. @param into the folder with the copies, which stay: an absolute path */
export async function uninstallTimer(context: CommandContext, into: string): Promise<void> {
  const timer = await timerOf(context, into)
  await runAll(context, timer.stopping)
  for (const path of Object.keys(timer.files)) await rm(path, { force: true }).catch((error) => failed(error, path))
  await runAll(context, timer.removed)
  if (timer.kind === "cron") await writeCrontab(context, undefined)
  if (context.options.json) await context.printJson({ timer: timer.kind, files: Object.keys(timer.files) })
  await context.log(`The timer of ${timer.kind} is removed; the copies stay in ${into}.`)
}

function failed(error: unknown, path: string): never {
  throw toStorageError(error, path, "write")
}

async function timerOf(context: CommandContext, into: string): Promise<Timer> {
  const { io } = context
  const words = wordsOf(into)
  if (platform() === "darwin") {
    const path = absoluteFolder(io, `~/Library/LaunchAgents/dev.${NAME}.plist`)
    const files = { [path]: plist(words, variablesOf(context)) }
    return {
      kind: "launchd",
      files,
      starting: [["launchctl", "load", "-w", path]],
      stopping: existsSync(path) ? [["launchctl", "unload", "-w", path]] : [],
      removed: [],
    }
  }
  if (platform() === "win32")
    throw new UsageError(
      "--install makes a timer of systemd, launchd or cron: on Windows, make a task that runs treelog keep.",
    )
  const isSystemd = await runProgram(context, "systemctl", ["--user", "show-environment"]).then(
    () => true,
    () => false,
  )
  if (!isSystemd) return { kind: "cron", files: {}, starting: [], stopping: [], removed: [] }
  const folder = join(io.env.XDG_CONFIG_HOME ?? absoluteFolder(io, "~/.config"), "systemd", "user")
  const [service, timer] = [join(folder, `${NAME}.service`), join(folder, `${NAME}.timer`)]
  const control = (...args: string[]): string[] => ["systemctl", "--user", ...args]
  return {
    kind: "systemd",
    files: { [service]: serviceText(words, variablesOf(context)), [timer]: TIMER_TEXT },
    starting: [control("daemon-reload"), control("enable", "--now", `${NAME}.timer`)],
    stopping: existsSync(timer) ? [control("disable", "--now", `${NAME}.timer`)] : [],
    removed: [control("daemon-reload")],
  }
}

/** This command, by its absolute paths: a timer has another PATH. */
function wordsOf(into: string): string[] {
  return [process.execPath, process.argv[1] ?? "", "keep", "--into", into, "--quiet"]
}

const OF_PI = ["PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR", "PI_CONFIG_DIR", "XDG_DATA_HOME"]

/** The variables that say where sessions are: a timer has none of them. */
function variablesOf({ io }: CommandContext): [name: string, value: string][] {
  const names = new Set(["TREELOG_AGENT_DIR", "TREELOG_CONFIG", "TREELOG_CACHE_DIR", ...OF_PI])
  for (const agent of agentsOf(io)) {
    const { folders, others = [], sessionsVariable } = placeOf(io, agent)
    if (sessionsVariable !== undefined) names.add(sessionsVariable)
    for (const folder of [folders, ...others.map((other) => other.folders ?? [])].flat())
      for (const [, name = ""] of folder.matchAll(/\$([A-Z0-9_]+)/g)) names.add(name)
  }
  return [...names].sort().flatMap((name) => {
    const value = io.env[name]
    return value === undefined || value === "" ? [] : [[name, value] as [string, string]]
  })
}

const TIMER_TEXT = `[Unit]
Description=Keep copies of the sessions of coding agents

[Timer]
OnBootSec=${MINUTES}min
OnUnitActiveSec=${MINUTES}min

[Install]
WantedBy=timers.target
`

function serviceText(words: readonly string[], variables: readonly (readonly [string, string])[]): string {
  const quote = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`
  return `[Unit]
Description=Keep copies of the sessions of coding agents

[Service]
Type=oneshot
Nice=10
${variables.map(([name, value]) => `Environment=${quote(`${name}=${value}`)}\n`).join("")}ExecStart=${words.map((word) => quote(word).replaceAll("$", "$$$$")).join(" ")}
`
}

function plist(words: readonly string[], variables: readonly (readonly [string, string])[]): string {
  const escaped = (text: string): string =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>Label</key><string>dev.${NAME}</string>
<key>ProgramArguments</key><array>${words.map((word) => `<string>${escaped(word)}</string>`).join("")}</array>
<key>EnvironmentVariables</key><dict>${variables.map(([name, value]) => `<key>${name}</key><string>${escaped(value)}</string>`).join("")}</dict>
<key>StartInterval</key><integer>${MINUTES * 60}</integer>
<key>RunAtLoad</key><true/>
<key>LowPriorityIO</key><true/>
</dict></plist>
`
}

/** A `%` is a line break in a crontab. */
function cronLine(context: CommandContext, into: string): string {
  const variables = variablesOf(context).map(([name, value]) => `${name}=${shellWord(value)}`)
  const line = [...variables, ...wordsOf(into).map(shellWord)].join(" ")
  return `*/${MINUTES} * * * * ${line.replaceAll("%", "\\%")} ${MARK}`
}

/** Puts the line into the crontab of the user, in place of a former one. @param line undefined to remove it */
async function writeCrontab(context: CommandContext, line: string | undefined): Promise<void> {
  // Without a crontab, the program fails.
  const present = await runProgram(context, "crontab", ["-l"]).catch((error: unknown) => {
    if (error instanceof TreelogError && /no crontab/.test(error.message)) return ""
    throw error
  })
  const others = present.split("\n").filter((one) => one !== "" && !one.endsWith(MARK))
  const lines = [...others, ...(line === undefined ? [] : [line])]
  await runProgram(context, "crontab", ["-"], lines.map((one) => `${one}\n`).join(""))
}

async function runAll(context: CommandContext, commands: readonly (readonly string[])[]): Promise<void> {
  for (const [program = "", ...args] of commands) await runProgram(context, program, args)
}

/** @returns what it printed @throws StorageError where it is missing or fails */
function runProgram({ io }: CommandContext, program: string, args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...io.env }, stdio: "pipe" })
    let [output, errors] = ["", ""]
    child.stdout.on("data", (data) => {
      output += data
    })
    child.stderr.on("data", (data) => {
      errors += data
    })
    const fail = (why: string, errno?: string): void => {
      const message = `\`${[program, ...args].join(" ")}\` failed: ${why.trim()}`
      reject(new TreelogError("StorageError", message, { key: program, operation: "write", errno }))
    }
    child.once("error", (error: NodeJS.ErrnoException) => fail(error.message, error.code))
    child.once("close", (code) => (code === 0 ? resolve(output) : fail(errors || `it ended with ${code}`)))
    // One that ends before it has read says why.
    child.stdin.once("error", () => undefined)
    child.stdin.end(input)
  })
}
