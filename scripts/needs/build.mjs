import { buildPackages } from "../build-packages.mjs"

export const setup = () => buildPackages("build")
