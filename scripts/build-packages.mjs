import { capture } from "./tools.mjs"

/** Builds these packages, and those that they need, unless they are built. */
export async function buildPackages(...names) {
  const filters = names.map((name) => `--filter=@treelog/${name}...`)
  const { code, output } = await capture("turbo", ["run", "build", ...filters, "--output-logs=errors-only"])
  if (code === 0) return
  process.stderr.write(output)
  throw new Error("The build failed")
}
