import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { RELEASES } from "../tools.mjs"

const HOST = "127.0.0.1"

/** Two answers that take too long would have it ask no more for minutes, and say that there is no such package. */
const PATIENT = { timeout: "120s", max_fails: 1000, fail_timeout: "1s" }

/**
 * A registry in this process, on a free port, with its files in a temporary folder. It takes our packages from those who have
 * its token, and has all others from the registry that npm uses.
 */
export async function startRegistry(temp, { registry, proxy, noProxy, ca, strictSsl }) {
  const folder = join(temp, "registry")
  const logFile = join(folder, "log")
  mkdirSync(folder)
  const given = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  // Imported once the dependencies are there.
  const resolve = createRequire(join(RELEASES, "package.json")).resolve
  const { default: verdaccio } = await import(pathToFileURL(resolve("verdaccio")).href)
  const app = await verdaccio.runServer({
    configPath: join(folder, "config.yaml"),
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    ...given({ https_proxy: proxy, http_proxy: proxy, no_proxy: noProxy }),
    uplinks: { npm: { url: registry, ...PATIENT, strict_ssl: strictSsl, ...given({ ca }) } },
    packages: {
      "@treelog/*": { access: "$all", publish: "$authenticated" },
      "**": { access: "$all", proxy: "npm" },
    },
    web: { enable: false },
    log: { type: "file", path: logFile, level: "error", format: "json" },
  })
  const server = await new Promise((resolve, reject) => {
    const listening = app.listen(0, HOST, () => resolve(listening))
    listening.on("error", reject)
  })
  const url = `http://${HOST}:${server.address().port}/`
  return { url, token: await signUp(url), log: () => readFileSync(logFile, "utf8"), close: () => close(server) }
}

async function signUp(url) {
  const name = "rehearsal"
  const response = await fetch(`${url}-/user/org.couchdb.user:${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password: randomBytes(24).toString("hex") }),
  })
  if (!response.ok) throw new Error(`The registry let nobody in: ${response.status} ${await response.text()}`)
  const { token } = await response.json()
  return token
}

function close(server) {
  return new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
}

/**
 * The environment of a user who has that registry, an npm cache, and no other settings of npm: neither
 * by a file of the user, which is not read, nor by the npm that runs this.
 */
export function localEnvironment({ url, token }, temp) {
  const userConfig = join(temp, "npmrc")
  writeFileSync(userConfig, `registry=${url}\n${url.replace("http:", "")}:_authToken=${token}\n`, { mode: 0o600 })
  const rest = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|FORCE_COLOR$)/i.test(name))
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"))
  const git = { NAME: "rehearsal", EMAIL: "rehearsal@localhost" }
  return {
    ...Object.fromEntries(rest),
    PATH: path.join(delimiter),
    CI: "1",
    NO_COLOR: "1",
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    // changesets asks the variable, the others the file.
    npm_config_registry: url,
    npm_config_userconfig: userConfig,
    npm_config_cache: join(temp, "npm-cache"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    NO_PROXY: [HOST, process.env.NO_PROXY].filter(Boolean).join(","),
    no_proxy: [HOST, process.env.no_proxy].filter(Boolean).join(","),
    // The tags that a release makes need an author.
    ...Object.fromEntries(
      Object.entries(git).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  }
}
