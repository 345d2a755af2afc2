import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Runs the command as the README of the package says, in an empty folder and with an empty npm cache. Without better-sqlite3,
 * which is optional: where no binary of it can be downloaded it is compiled for more than a minute, and that would try it, not
 * us. So this holds as well that the command is whole without it.
 */
export async function tryCommand(runner, { temp, env, version, sample }) {
  const cwd = join(temp, "command")
  const sessions = join(temp, "sessions")
  mkdirSync(cwd)
  mkdirSync(sessions)
  writeFileSync(join(sessions, "2026-01-01T00-00-00-000Z_sample.jsonl"), sample)
  const own = {
    ...env,
    npm_config_omit: "optional",
    npm_config_cache: join(temp, "empty-npm-cache"),
    TREELOG_CACHE_DIR: join(temp, "treelog-cache"),
  }
  const npx = (...args) => runner.run("npx", ["-y", "@treelog/cli", ...args], { cwd, env: own })

  const said = (await npx("--version")).trim()
  if (said !== version) throw new Error(`--version says ${said}, and the release is ${version}`)
  const listed = await npx("list", "--all", "--session-dir", sessions, "--json")
  const rows = listed
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  if (rows.length !== 1 || rows[0].cwd !== "/home/me/project") throw new Error(`list says ${listed}`)
}
