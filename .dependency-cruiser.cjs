// The import rules that docs/ARCHITECTURE.md describes. `npm run layers` checks them.

const { readdirSync, readFileSync } = require("node:fs")

const CORE = "^packages/session-core/src/"
const ADAPTERS = [
  "storage-fs",
  "storage-indexeddb",
  "storage-postgres",
  "blob-store",
  "blob-store-s3",
  "history-sqlite",
  "index-sqlite",
  "agent-sdks",
  "agents",
  "mcp",
]
const TEST_FILE = "^(packages|internal)/[^/]+/test/|[.]test[.]ts$"

/** The packages whose tests import their entry points: those that are published, and those that are built into them. */
const TESTED = "(?:packages/[^/]+|internal/(?:agent-files|fs|sqlite|text))"

/** The source files that users of a package import by its name. */
const ENTRY_POINTS = ["packages", "internal"].flatMap((group) =>
  readdirSync(group).flatMap((folder) => {
    const { exports = {} } = JSON.parse(readFileSync(`${group}/${folder}/package.json`, "utf8"))
    return Object.values(exports)
      .map((target) => target["@treelog/source"] ?? target)
      .filter((source) => typeof source === "string" && source.startsWith("./src/"))
      .map((source) => `^${group}/${folder}/${source.slice(2).replaceAll(".", "[.]")}$`)
  }),
)

/** What adapters may import besides the core. */
const SECRETS = "^packages/secrets/src/"

/** The private packages that others share, and that are built into them. */
const SHARED_AGENT_FILES = "^internal/agent-files/src/"
const SHARED_FS = "^internal/fs/src/"
const SHARED_SQLITE = "^internal/sqlite/src/"
const SHARED_TEXT = "^internal/text/src/"

/** The layers of session-core, lowest first. `testing/` and the entry points are above all of them. */
const LAYERS = [
  ["entry", "errors.ts", "turns.ts"],
  ["log", "migrate", "ports", "schema"],
  ["tree", "persist", "memory"],
  ["context"],
  ["session"],
  ["messages"],
  ["compaction", "maintenance", "search"],
]

const CORE_ENTRY_POINTS = `${CORE}((?:index|adapter|compaction|maintenance|messages|search|sync)[.]ts$|testing/)`

/** `log` -> `log/` or `log.ts`; `errors.ts` -> that file. */
const onLayers = (names) =>
  `${CORE}(${names.map((name) => (name.endsWith(".ts") ? `${name.replace(".", "[.]")}$` : `${name}(/|[.]ts$)`)).join("|")})`

const layerRules = LAYERS.slice(0, -1).map((names, level) => ({
  name: `core-layer-${level}-imports-no-higher-layer`,
  severity: "error",
  comment: `session-core: ${names.join(", ")} may import their own layer and lower ones`,
  from: { path: onLayers(names) },
  to: { path: onLayers(LAYERS.slice(level + 1).flat()) },
}))

const COMMAND = "^packages/cli/src/"

/** The folders of the command, lowest first. `main.ts` and `run.ts` are above all of them. */
const COMMAND_LAYERS = [
  "render",
  "errors",
  "io",
  "define",
  "store",
  "sessions",
  "summarizer",
  "search",
  "transfer",
  "agents",
  "tui",
  "commands",
  "program",
]

const commandRules = COMMAND_LAYERS.map((name, level) => ({
  name: `command-layer-${level}-imports-no-higher-layer`,
  severity: "error",
  comment: `cli: ${name}/ imports ${COMMAND_LAYERS.slice(0, level + 1).join(", ")}`,
  from: { path: `${COMMAND}${name}/` },
  to: { path: COMMAND, pathNot: `${COMMAND}(${COMMAND_LAYERS.slice(0, level + 1).join("|")})/` },
}))

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "not-to-unresolvable",
      severity: "error",
      comment: "the static page of the examples imports what is copied beside it",
      from: { pathNot: "^examples/viewer/transcript/" },
      to: { couldNotResolve: true },
    },
    {
      name: "core-is-pure",
      severity: "error",
      comment: "session-core imports itself and zod, nothing else: no node:, no adapter",
      from: { path: CORE },
      to: { pathNot: [CORE, "(^|/)node_modules/zod/"], couldNotResolve: false },
    },
    ...layerRules,
    ...commandRules,
    {
      name: "commands-do-not-import-each-other",
      severity: "error",
      comment:
        "a folder in commands/ has the parts of the command with its name; what several commands need is in a lower layer",
      from: { path: `${COMMAND}commands/([^/.]+)` },
      to: { path: `${COMMAND}commands/`, pathNot: `${COMMAND}commands/$1(/|[.]ts$)` },
    },
    {
      name: "pickers-do-not-import-each-other",
      severity: "error",
      comment: "a folder in tui/ imports itself and tui/frame",
      from: { path: `${COMMAND}tui/([^/]+)/` },
      to: { path: `${COMMAND}tui/`, pathNot: `${COMMAND}tui/($1|frame)/` },
    },
    {
      name: "core-does-not-import-its-entry-points",
      severity: "error",
      comment: "nothing in session-core imports its own entry points or its published test suites",
      from: { path: CORE, pathNot: CORE_ENTRY_POINTS },
      to: { path: CORE_ENTRY_POINTS },
    },
    {
      name: "adapters-do-not-import-each-other",
      severity: "error",
      from: { path: `^packages/(${ADAPTERS.join("|")})/src/` },
      to: { path: `^packages/(${ADAPTERS.join("|")})/`, pathNot: "^packages/$1/" },
    },
    {
      name: "adapters-import-only-core",
      severity: "error",
      comment:
        "an adapter imports itself, session-core, secrets, the shared agent-files, fs, SQLite and text, node: and npm packages of its own",
      from: { path: `^packages/(${ADAPTERS.join("|")})/src/` },
      to: {
        path: "^(packages|internal|bench|scripts)/",
        pathNot: [
          "^packages/$1/src/",
          CORE,
          SECRETS,
          SHARED_AGENT_FILES,
          SHARED_FS,
          SHARED_SQLITE,
          SHARED_TEXT,
          `^packages/(${ADAPTERS.join("|")})/`,
        ],
      },
    },
    {
      name: "storage-indexeddb-does-not-import-node",
      severity: "error",
      from: { path: "^packages/storage-indexeddb/src/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "shared-agent-files-imports-only-core-fs-and-sqlite",
      severity: "error",
      comment: "the shared agent-files package imports itself, session-core, the shared fs and SQLite, and node:",
      from: { path: SHARED_AGENT_FILES },
      to: {
        path: "^(packages|internal|bench|scripts)/",
        pathNot: [SHARED_AGENT_FILES, SHARED_FS, SHARED_SQLITE, CORE],
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
      name: "shared-sqlite-imports-only-core",
      severity: "error",
      comment: "the shared SQLite package imports itself, session-core, node: and better-sqlite3",
      from: { path: SHARED_SQLITE },
      to: { path: "^(packages|internal|bench|scripts)/", pathNot: [SHARED_SQLITE, CORE] },
    },
    {
      name: "shared-text-imports-only-core",
      severity: "error",
      comment: "the shared text package imports itself and session-core",
      from: { path: SHARED_TEXT },
      to: { path: "^(packages|internal|bench|scripts)/", pathNot: [SHARED_TEXT, CORE] },
    },
    {
      name: "pi-imports-only-core-and-storage-fs",
      severity: "error",
      comment: "pi's SessionManager is session-core on the files of storage-fs",
      from: { path: "^packages/pi/src/" },
      to: {
        path: "^(packages|internal|bench|scripts)/",
        pathNot: ["^packages/pi/src/", CORE, "^packages/storage-fs/src/"],
      },
    },
    {
      name: "stores-import-only-adapters",
      severity: "error",
      comment: "stores opens what the adapters store; Codex needs a driver of SQLite for its titles",
      from: { path: "^packages/stores/src/" },
      to: {
        path: "^(packages|internal|bench|scripts)/",
        pathNot: ["^packages/(stores|storage-fs|agents|index-sqlite|storage-postgres)/src/", CORE, SHARED_FS],
      },
    },
    {
      name: "export-imports-only-core",
      severity: "error",
      comment: "export imports itself, session-core and the shared text package: redaction is an argument",
      from: { path: "^packages/export/src/" },
      to: { path: "^(packages|internal|bench|scripts)/", pathNot: ["^packages/export/src/", CORE, SHARED_TEXT] },
    },
    {
      name: "export-does-not-import-node",
      severity: "error",
      from: { path: ["^packages/export/src/", SHARED_TEXT] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "bundle-imports-what-it-packs",
      severity: "error",
      comment: "bundle imports itself, session-core, secrets, export, storage-fs, blob-store and the shared fs",
      from: { path: "^packages/bundle/src/" },
      to: {
        path: "^(packages|internal|bench|scripts)/",
        pathNot: ["^packages/(bundle|export|storage-fs|blob-store)/src/", CORE, SECRETS, SHARED_FS],
      },
    },
    {
      name: "secrets-import-no-other-package",
      severity: "error",
      comment: "secrets imports itself and npm packages of its own: nothing of ours, and no node:",
      from: { path: SECRETS },
      to: { path: "^(packages|internal|bench|scripts)/", pathNot: SECRETS },
    },
    {
      name: "secrets-do-not-import-node",
      severity: "error",
      from: { path: SECRETS },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "prices-import-nothing",
      severity: "error",
      comment: "prices imports itself: nothing of ours, no npm package, and no node:",
      from: { path: "^packages/prices/src/" },
      to: { pathNot: "^packages/prices/src/" },
    },
    {
      name: "only-cli-imports-prices",
      severity: "error",
      comment: "what needs a price gets a function as an argument",
      from: { path: "^packages/[^/]+/src/", pathNot: "^packages/(prices|cli)/" },
      to: { path: "^packages/prices/" },
    },
    {
      name: "viewer-imports-only-core",
      severity: "error",
      comment: "the viewer imports itself, session-core, the shared text package, and packages of its own",
      from: { path: "^packages/viewer/src/" },
      to: { path: "^(packages|internal|bench|scripts)/", pathNot: ["^packages/viewer/src/", CORE, SHARED_TEXT] },
    },
    {
      name: "only-cli-imports-viewer",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: "^packages/(viewer|cli)/" },
      to: { path: "^packages/viewer/" },
    },
    {
      name: "page-and-delivery-do-not-import-each-other",
      severity: "error",
      comment: "the page runs in browsers, what delivers it in Node",
      from: { path: "^packages/viewer/src/(page|deliver)/" },
      to: { path: "^packages/viewer/src/(page|deliver)/", pathNot: "^packages/viewer/src/$1/" },
    },
    {
      name: "page-does-not-import-node",
      severity: "error",
      from: { path: "^packages/viewer/src/page/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "page-layers-import-downwards",
      severity: "error",
      comment: "view/ imports the other folders, not the other way round",
      from: { path: "^packages/viewer/src/page/(session|source|scroll|text)/" },
      to: { path: "^packages/viewer/src/page/(view/|main[.]tsx)" },
    },
    {
      name: "page-does-not-import-its-parts",
      severity: "error",
      comment: "parts/ is for other pages: it puts together what the page is made of",
      from: { path: "^packages/viewer/src/page/", pathNot: "^packages/viewer/src/page/parts/" },
      to: { path: "^packages/viewer/src/page/parts/" },
    },
    {
      name: "only-declared-dependencies",
      severity: "error",
      comment:
        "sources use what their package.json lists under dependencies or peerDependencies; the page is built, with all that it is made of, and so is the command line, with its parser; the shared packages are built into what uses them",
      from: { path: "^packages/[^/]+/src/", pathNot: "^packages/viewer/src/page/" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        // Those are development dependencies too, for the tests.
        dependencyTypesNot: ["npm-peer"],
        pathNot: ["/node_modules/commander/", SHARED_AGENT_FILES, SHARED_FS, SHARED_SQLITE, SHARED_TEXT],
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
      to: { path: [TEST_FILE, "^internal/(?!(agent-files|fs|sqlite|text)/src/)"] },
    },
    {
      name: "tests-import-entry-points",
      severity: "error",
      comment:
        "a test imports a package by its name; what it tests of the inside is listed in the test/door.ts of its package",
      from: { path: "^(packages|internal)/[^/]+/test/", pathNot: "/test/(page/)?door[.]ts$" },
      to: { path: `^${TESTED}/src/`, pathNot: ENTRY_POINTS },
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
