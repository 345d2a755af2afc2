// npm run rehearse-release: the next release, up to what users install, with nothing leaving this machine. The scripts that
// the release workflow runs, run here in a copy of this checkout, against a registry that lives in this process and in a
// temporary folder. All of that goes away at the end: when a step fails, and on Ctrl-C, too. Only kill -9 leaves the folder.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkPublished } from "./release/check-published.mjs"
import { checkoutState } from "./release/checkout-state.mjs"
import { copyCheckout } from "./release/copy-checkout.mjs"
import { npmSettings } from "./release/npm-settings.mjs"
import { publicPackages, versionOf } from "./release/public-packages.mjs"
import { localEnvironment, startRegistry } from "./release/registry.mjs"
import { Runner } from "./release/runner.mjs"
import { step } from "./release/step.mjs"
import { tryCommand } from "./release/try-command.mjs"
import { tryCore } from "./release/try-core.mjs"
import { ensureInstalled } from "./setup.mjs"
import { ROOT, toolEnvironment } from "./tools.mjs"

async function rehearse(runner, temp) {
  const before = await checkoutState(runner)
  const tree = join(temp, "tree")
  await step("copy the checkout", () => copyCheckout(runner, tree))
  await step("npm run setup", async () => {
    // The store of this checkout: where the copy lies on another disk, pnpm would leave one there.
    const store = (await runner.run("pnpm", ["store", "path"], { cwd: ROOT })).trim()
    await runner.run("npm", ["run", "setup"], { cwd: tree, env: { ...toolEnvironment(), npm_config_store_dir: store } })
  })

  const registry = await step("start a registry", async () => startRegistry(temp, await npmSettings(runner)))
  try {
    const env = localEnvironment(registry, temp)
    await step("npm run version-packages", () => runner.run("npm", ["run", "version-packages"], { cwd: tree, env }))
    const version = versionOf(tree)
    await step(`npm run release (${version})`, () => runner.run("npm", ["run", "release"], { cwd: tree, env }))
    const packages = publicPackages(tree)
    await step(`look at the ${packages.length} packages`, () =>
      checkPublished(runner, { packages, version, temp, env }),
    )
    const sample = await step("install session-core alone, and use it", () => tryCore(runner, { temp, env }))
    await step("npx @treelog/cli", () => tryCommand(runner, { temp, env, version, sample }))
  } catch (error) {
    if (!runner.isStopped) console.log(`What the registry says:\n${registry.log()}`)
    throw error
  } finally {
    await registry.close()
  }
  await step("this checkout is as it was", async () => {
    if ((await checkoutState(runner)) === before) return
    throw new Error("Something in the checkout changed meanwhile. Rehearse while nobody works in it.")
  })
}

const stop = new AbortController()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop.abort(signal))
endWithNpm()

/** What an npm started goes on alone when that npm is killed. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && stop.abort("SIGHUP"), 500).unref()
}

async function main() {
  const begin = performance.now()
  await ensureInstalled()
  const temp = realpathSync(mkdtempSync(join(tmpdir(), "treelog-release-")))
  const runner = new Runner(stop.signal)
  try {
    await rehearse(runner, temp)
  } finally {
    await runner.done()
    rmSync(temp, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  console.log(`The release can be made. ${((performance.now() - begin) / 1000).toFixed(0)} s`)
}

try {
  await main()
  process.exit(0)
} catch (error) {
  if (!stop.signal.aborted) console.log(`${error.message}\nThe release cannot be made like this.`)
  else console.log(`Ended by ${stop.signal.reason}; everything is taken down.`)
  process.exit(stop.signal.aborted ? { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[stop.signal.reason] : 1)
}
