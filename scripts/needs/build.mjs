import { buildPackages } from "../build-packages.mjs"
import { ensurePackages } from "../setup.mjs"

export async function setup() {
  await ensurePackages()
  await buildPackages("build")
}
