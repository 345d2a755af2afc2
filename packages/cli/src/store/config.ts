import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { absoluteFolder } from "@treelog-internal/fs"
import { isObject } from "@treelog-internal/text"
import { UsageError } from "../errors/exit-codes.js"
import type { Io } from "../io/io.js"

/** What `treelog config` sets. */
export interface Config {
  /** The store that commands work on without `--store` and TREELOG_STORE: what `--store` takes. */
  readonly store?: string
  /** The file of your own price list. An absolute path. */
  readonly prices?: string
  /** The files that define further agents. Absolute paths. */
  readonly agents?: readonly string[]
}

export const CONFIG_KEYS = ["store", "prices", "agents"] as const

export type ConfigKey = (typeof CONFIG_KEYS)[number]

/** The file of the settings: TREELOG_CONFIG, or `~/.treelog/config.json`. An absolute path. */
export function configPath(io: Pick<Io, "cwd" | "env">): string {
  return absoluteFolder(io, io.env.TREELOG_CONFIG || "~/.treelog/config.json")
}

const known = new WeakMap<object, Config>()

/**
 * The settings of the user; none where there is no file. Read once by a command.
 * @throws UsageError for a file that cannot be read, or that holds something else
 */
export function readConfig(io: Pick<Io, "cwd" | "env">): Config {
  const config = known.get(io) ?? parsed(io, configPath(io))
  known.set(io, config)
  return config
}

/** Forgets what was read, once it was written. */
export function forgetConfig(io: Pick<Io, "cwd" | "env">): void {
  known.delete(io)
}

/** What `agents` names starts from the folder of the file. */
function parsed(io: Pick<Io, "cwd" | "env">, path: string): Config {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return {}
    throw unusable(path, error instanceof Error ? error.message : String(error))
  }
  const value = jsonOf(path, text)
  if (!isObject(value)) throw unusable(path, "it is no JSON object")
  for (const [key, one] of Object.entries(value)) {
    if (!CONFIG_KEYS.some((name) => name === key))
      throw unusable(path, `it has ${JSON.stringify(key)}, which is not a setting`)
    if (key === "agents" ? !isTexts(one) : typeof one !== "string")
      throw unusable(path, `${key} is not ${key === "agents" ? "an array of strings" : "a string"}`)
  }
  const { agents, ...config }: Config = value
  const from = { ...io, cwd: dirname(path) }
  return { ...config, ...(agents && { agents: agents.map((file) => absoluteFolder(from, file)) }) }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable(path, "it is no JSON")
    throw error
  }
}

function unusable(path: string, why: string): UsageError {
  return new UsageError(`The settings in ${path} cannot be used: ${why}. Correct the file, or delete it.`, { path })
}
