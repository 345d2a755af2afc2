import { capture } from "./tools.mjs"

/**
 * Builds these packages and those that they need, or all, unless they are built.
 * @param task `build`; or `types`, which makes the declarations, too: only publishing needs them
 */
export async function buildPackages(task, ...names) {
  const filters = names.map((name) => `--filter=@treelog/${name}...`)
  const { code, output } = await capture("turbo", ["run", task, ...filters, "--output-logs=errors-only"])
  if (code === 0) return
  process.stderr.write(output)
  throw new Error("The build failed")
}
