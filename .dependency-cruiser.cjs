// The arrows of docs/ARCHITECTURE.md, held by a machine.

const CORE = "^packages/session-core/src/"
const ADAPTERS = ["storage-fs", "blob-store", "history-sqlite"]
const TEST_FILE = "^(packages|internal)/[^/]+/test/|[.]test[.]ts$"

/** What they may share beside the core: it knows nothing of sessions. */
const SECRETS = "^packages/secrets/src/"

/** The private package that they share, and that is built into them. */
const SHARED_FS = "^internal/fs/src/"

/** The floors of session-core, ground first. `testing/` and the entry points stand above them all. */
const FLOORS = [
  ["entry", "errors.ts", "bytes"],
  ["log", "migrate", "ports", "schema"],
  ["tree", "persist", "memory", "indexeddb"],
  ["context"],
  ["compaction"],
  ["session"],
]

/** `log` -> `log/` or `log.ts`; `errors.ts` -> that file. */
const onFloors = (names) =>
  `${CORE}(${names.map((name) => (name.endsWith(".ts") ? `${name.replace(".", "[.]")}$` : `${name}(/|[.]ts$)`)).join("|")})`

const floorRules = FLOORS.slice(0, -1).map((names, floor) => ({
  name: `core-floor-${floor}-does-not-look-up`,
  severity: "error",
  comment: `session-core: ${names.join(", ")} may import their own floor and those below`,
  from: { path: onFloors(names) },
  to: { path: onFloors(FLOORS.slice(floor + 1).flat()) },
}))

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "not-to-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "core-is-pure",
      severity: "error",
      comment: "session-core imports itself and zod, nothing else: no node:, no adapter",
      from: { path: CORE },
      to: { pathNot: [CORE, "(^|/)node_modules/zod/"], couldNotResolve: false },
    },
    ...floorRules,
    {
      name: "core-floors-do-not-know-the-roof",
      severity: "error",
      comment: "nothing in session-core imports its own front door or its published test suites",
      from: { path: CORE, pathNot: `${CORE}((?:index|adapter|prompt-history)[.]ts$|testing/)` },
      to: { path: `${CORE}((?:index|adapter|prompt-history)[.]ts$|testing/)` },
    },
    {
      name: "adapters-do-not-know-each-other",
      severity: "error",
      from: { path: `^packages/(${ADAPTERS.join("|")})/src/` },
      to: { path: `^packages/(${ADAPTERS.join("|")})/`, pathNot: "^packages/$1/" },
    },
    {
      name: "adapters-import-only-core",
      severity: "error",
      comment: "an adapter imports itself, session-core, secrets, the shared fs, node: and npm packages of its own",
      from: { path: `^packages/(${ADAPTERS.join("|")})/src/` },
      to: {
        path: "^(packages|internal|bench|scripts)/",
        pathNot: ["^packages/$1/src/", CORE, SECRETS, SHARED_FS, `^packages/(${ADAPTERS.join("|")})/`],
      },
    },
    {
      name: "shared-fs-imports-only-core",
      severity: "error",
      comment: "the shared fs imports itself, session-core and node:",
      from: { path: SHARED_FS },
      to: { path: "^(packages|internal|bench|scripts)/", pathNot: [SHARED_FS, CORE] },
    },
    {
      name: "secrets-stand-alone",
      severity: "error",
      comment: "secrets imports itself and npm packages of its own: nothing of ours, and no node:",
      from: { path: SECRETS },
      to: { path: "^(packages|internal|bench|scripts)/", pathNot: SECRETS },
    },
    {
      name: "secrets-need-no-node",
      severity: "error",
      from: { path: SECRETS },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "viewer-imports-only-core",
      severity: "error",
      comment: "the viewer imports itself, session-core, and packages of its own",
      from: { path: "^packages/viewer/src/" },
      to: { path: "^(packages|internal|bench|scripts)/", pathNot: ["^packages/viewer/src/", CORE] },
    },
    {
      name: "only-cli-knows-viewer",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: "^packages/(viewer|cli)/" },
      to: { path: "^packages/viewer/" },
    },
    {
      name: "page-and-delivery-do-not-know-each-other",
      severity: "error",
      comment: "the page runs in browsers, what delivers it in Node",
      from: { path: "^packages/viewer/src/(page|deliver)/" },
      to: { path: "^packages/viewer/src/(page|deliver)/", pathNot: "^packages/viewer/src/$1/" },
    },
    {
      name: "page-knows-no-node",
      severity: "error",
      from: { path: "^packages/viewer/src/page/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "page-floors-do-not-look-up",
      severity: "error",
      comment: "what is shown stands on what is known",
      from: { path: "^packages/viewer/src/page/(session|source|scroll|text)/" },
      to: { path: "^packages/viewer/src/page/(view/|main[.]tsx)" },
    },
    {
      name: "only-declared-dependencies",
      severity: "error",
      comment:
        "sources use what their package.json lists under dependencies; the page is built, with all that it is made of, and so is the command line, with its parser; the shared fs is built into what uses it",
      from: { path: "^packages/[^/]+/src/", pathNot: "^packages/viewer/src/page/" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        pathNot: ["/node_modules/commander/", SHARED_FS],
      },
    },
    {
      name: "nothing-imports-cli",
      severity: "error",
      from: { pathNot: "^packages/cli/" },
      to: { path: "^packages/cli/src/" },
    },
    {
      name: "sources-do-not-import-tests",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: TEST_FILE },
      to: { path: [TEST_FILE, "^internal/(?!fs/src/)"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|coverage)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@treelog/source", "import", "node", "types", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
}
