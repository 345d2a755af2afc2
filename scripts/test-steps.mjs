// What `npm test` does before the tests. The checks need nothing that is built.
export const BUILD = [{ name: "build", command: "turbo", args: ["run", "build", "--output-logs=errors-only"] }]

export const CHECKS = [
  { name: "types of the core", command: "tsc", args: ["-p", "packages/session-core"] },
  { name: "types", command: "tsc", args: ["-p", "tsconfig.json"] },
  { name: "types in browsers", command: "tsc", args: ["-p", "tsconfig.dom.json"] },
  { name: "lint and format", command: "biome", args: ["check", "--error-on-warnings", "."] },
  {
    name: "layers",
    command: "depcruise",
    args: ["--config", ".dependency-cruiser.cjs", "packages", "internal", "bench", "examples"],
  },
  { name: "manifests", command: "sherif", args: [] },
  { name: "unused code", command: "knip", args: ["--no-config-hints"] },
]
