import { mkdir, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { assertStore, loadPlugIns, shownStore, storeNamed } from "@treelog/stores"
import { absoluteFolder } from "@treelog-internal/fs"
import type { CommandDefinition } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { readPriceList } from "../sessions/prices.js"
import { CONFIG_KEYS, type Config, type ConfigKey, configPath, forgetConfig, readConfig } from "../store/config.js"

const SETTING = "store, prices or agents"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "print and change settings",
  description: "Print and change settings: which store new sessions go to, your prices, and further agents.",
  examples: [
    ["treelog config set store pi", "store new sessions in pi"],
    ["treelog config set agents ./acme.js", "read the sessions of a further agent"],
  ],
  commands: {
    get: {
      summary: "print settings",
      description: "Print the settings, or one of them.",
      examples: [["treelog config get", "every setting"]],
      arguments: [["[setting]", SETTING]],
      run: getConfig,
    },
    set: {
      summary: "change a setting",
      description: "Change a setting.",
      examples: [
        ["treelog config set store pi", "store new sessions in pi"],
        ["treelog config set agents ./acme.js", "read the sessions of a further agent"],
      ],
      arguments: [
        ["<setting>", SETTING],
        [
          "<value>",
          "of store what --store takes, of prices a file, of agents files that define some, with commas between them: they are run",
        ],
      ],
      run: setConfig,
    },
    unset: {
      summary: "remove a setting",
      description: "Remove a setting.",
      examples: [["treelog config unset store", "store them in treelog's own again"]],
      arguments: [["<setting>", SETTING]],
      run: unsetConfig,
    },
  },
}

export async function getConfig(context: CommandContext, key: string | undefined): Promise<ExitCode> {
  const config = shown(readConfig(context.io))
  const keys = key === undefined ? CONFIG_KEYS : [knownKey(key)]
  if (context.options.json) await context.printJson({ file: configPath(context.io), ...config })
  else if (key !== undefined)
    await context.print(keys.flatMap((name) => (config[name] === undefined ? [] : String(config[name]))))
  else if (Object.keys(config).length === 0) await context.log(`There is no setting in ${configPath(context.io)}.`)
  else
    await context.print(keys.flatMap((name) => (config[name] === undefined ? [] : `${name} ${String(config[name])}`)))
  return EXIT.ok
}

/** Writes a setting. @throws UsageError for one that is not known, or a value that it cannot have */
export async function setConfig(context: CommandContext, key: string, value: string): Promise<ExitCode> {
  const name = knownKey(key)
  if (name === "prices") {
    const path = absoluteFolder(context.io, value)
    await readPriceList(path)
    return saved(context, { ...readConfig(context.io), prices: path })
  }
  if (name === "agents") {
    const files = value.split(",").map((file) => file.trim())
    if (files.includes(""))
      throw new UsageError("agents takes files with commas between them; `treelog config unset agents` removes them.")
    const agents = files.map((file) => absoluteFolder(context.io, file))
    const [fault] = (await loadPlugIns(agents)).faults
    if (fault) throw fault.error
    return saved(context, { ...readConfig(context.io), agents })
  }
  const store = storeNamed(context.io, value, "--store")
  await assertStore(store)
  // A folder is the same one from wherever a command runs.
  const isFolder = store.kind === "files" && store.folder !== undefined
  return saved(context, { ...readConfig(context.io), [name]: isFolder ? store.agentDir : value })
}

export async function unsetConfig(context: CommandContext, key: string): Promise<ExitCode> {
  const { [knownKey(key)]: _, ...rest } = readConfig(context.io)
  return saved(context, rest)
}

async function saved(context: CommandContext, config: Config): Promise<ExitCode> {
  const { io } = context
  const path = configPath(io)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const whole = `${path}.${process.pid}.tmp`
  await writeFile(whole, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 })
  await rename(whole, path)
  forgetConfig(io)
  if (context.options.json) await context.printJson({ file: path, ...shown(config) })
  return EXIT.ok
}

/** The settings without a password. */
function shown(config: Config): Config {
  return { ...config, ...(config.store !== undefined && { store: shownStore(config.store) }) }
}

function knownKey(key: string): ConfigKey {
  const name = CONFIG_KEYS.find((each) => each === key)
  if (name) return name
  throw new UsageError(`There is no setting ${JSON.stringify(key)}: name ${CONFIG_KEYS.join(", ")}.`, { key })
}
