// What is checked besides the tests. None of it needs anything that is built.
import { join } from "node:path"
import { ROOT } from "./tools.mjs"

/** The programs that are checked: the core has no types of Node and of browsers, pages have those of browsers. */
const PROGRAMS = {
  "types of the core": "packages/session-core",
  types: "tsconfig.json",
  "types in pages": "tsconfig.dom.json",
}

const checkTypes = (compiler, name, ...args) => ({
  name,
  command: process.execPath,
  args: [join(ROOT, "node_modules", compiler, "bin", "tsc"), "-p", PROGRAMS[name], ...args],
})

/** With the native compiler, in a tenth of the time. */
export const TYPES = Object.keys(PROGRAMS).map((name) => checkTypes("typescript-native", name))

/** With the compiler that most users have: every night, both must agree. What one keeps between runs, the other cannot read. */
export const TYPES_AGAIN = Object.keys(PROGRAMS).map((name) => ({
  ...checkTypes("typescript", name, "--incremental", "false"),
  name: `${name}, TypeScript 5`,
}))

/** Of these files, or of all. */
export const lint = (files = ["."]) => ({
  name: "lint and format",
  command: "biome",
  args: ["check", "--error-on-warnings", "--no-errors-on-unmatched", "--files-ignore-unknown=true", ...files],
})

export const CHECKS = [
  ...TYPES,
  lint(),
  {
    name: "import rules",
    command: "depcruise",
    args: ["--config", ".dependency-cruiser.cjs", "packages", "internal", "bench", "examples"],
  },
  // The prices are those of the newest pi, and the peers have an older one.
  { name: "manifests", command: "sherif", args: ["--ignore-dependency", "@earendil-works/pi-ai"] },
  { name: "unused code", command: "knip", args: ["--no-config-hints"] },
]
