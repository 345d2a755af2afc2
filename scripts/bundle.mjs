/** Bundles a program of a workspace into its `dist`, for the Node that runs it. What is not said is the same for all. */
export async function bundle(folder, options) {
  // Imported once the dependencies are there.
  const { build } = await import("esbuild")
  await build({
    absWorkingDir: folder,
    outdir: "dist",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
    ...options,
  })
}
