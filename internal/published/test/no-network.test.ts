import { readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { packageFolders, ROOT, readText } from "./repository.js"

const sources = packageFolders.flatMap((folder) =>
  readdirSync(join(ROOT, folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${folder}/src/${path.replaceAll("\\", "/")}`),
)
const dependenciesOf = (folder: string): object => JSON.parse(readText(`${folder}/package.json`)).dependencies ?? {}
const filesWith = (pattern: RegExp) => sources.filter((path) => pattern.test(readText(path))).sort()
const SERVER = "packages/viewer/src/deliver/serve/"

test("no package but blob-store-s3 asks another machine for anything by itself", () => {
  const NETWORK = /"(?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?"/
  // A file that other sandboxes of the machine ask whether a process lives: nothing is asked by an address.
  const SOCKETS = ["packages/storage-fs/src/lazy-modules.ts", "packages/storage-fs/src/lock/liveness-socket.ts"]
  expect(filesWith(NETWORK).filter((path) => !path.startsWith(SERVER))).toEqual(SOCKETS)
  const asked = [...readText(SOCKETS[1] ?? "").matchAll(/\.(?:listen|connect)\((?:\{ )?(\w+)/g)].map(([, to]) => to)
  expect(asked).toEqual(["path", "path"])
  // The server answers, and that is all that it takes from Node.
  const taken = filesWith(NETWORK).flatMap((path) => [
    ...readText(path).matchAll(/^import (?!type )\{([^}]*)\} from "node:(?:http|net)"$/gm),
  ])
  const values = taken.flatMap(([, names = ""]) => names.split(",").filter((name) => !name.trim().startsWith("type ")))
  expect(values.map((name) => name.trim())).toEqual(["createServer"])
})

const S3 = "packages/blob-store-s3/"
const PAGE = "packages/viewer/src/page/"
const ASKING = `${PAGE}source/ask-routes.ts`

test("two files ask for something: that of the pages, and that of blob-store-s3", () => {
  const asking = filesWith(
    /\bfetch\(|\bWebSocket\b|\bXMLHttpRequest\b|\bEventSource\b|\bsendBeacon\b|\bimportScripts\b/,
  )
  expect(asking).toEqual([`${S3}src/s3-client.ts`, ASKING])
})

test("blob-store-s3 makes URLs in one file, from the endpoint", () => {
  expect(filesWith(/\bURL\(|https?:\/\//).filter((path) => path.startsWith(S3))).toEqual([`${S3}src/s3-address.ts`])
})

const CLI = "packages/cli/"
const STORES = "packages/stores/"
const importing = (specifier: string) => filesWith(new RegExp(`(?:from |import\\()"${specifier}"`))

test("the command and stores alone use what connects, and load it where an address names a server", () => {
  const using = (name: string) => packageFolders.filter((folder) => name in dependenciesOf(folder))
  expect(using("@treelog/blob-store-s3")).toEqual(["packages/cli"])
  expect(using("@treelog/storage-postgres")).toEqual(["packages/cli", "packages/stores"])
  expect(importing("@treelog/blob-store-s3")).toEqual([`${CLI}src/store/bucket-blobs.ts`])
  expect(importing("@treelog/storage-postgres")).toEqual([
    `${CLI}src/commands/store.ts`,
    `${STORES}src/kept/postgres-objects.ts`,
    `${STORES}src/open-postgres.ts`,
  ])
  expect(filesWith(/import\("pg"\)/)).toEqual([`${STORES}src/open-postgres.ts`])
  expect(filesWith(/import\("[^"]*\/bucket-blobs\.js"\)/)).toEqual([
    `${CLI}src/commands/keep.ts`,
    `${CLI}src/store/blob-place.ts`,
  ])
  expect(filesWith(/from "[^"]*\/bucket-blobs\.js"/)).toEqual([])
  expect(filesWith(/import\("[^"]*\/open-postgres\.js"\)/)).toEqual([`${STORES}src/open-store.ts`])
  expect(filesWith(/from "[^"]*\/open-postgres\.js"/)).toEqual([`${STORES}src/kept/postgres-objects.ts`])
  expect(filesWith(/"[^"]*\/postgres-objects\.js"/)).toEqual([`${STORES}src/open-store.ts`])
})

test("the page that is served asks its own server alone, and parts the routes that they are given", () => {
  // Relative addresses, which can mean no other server; those of stores come from the page itself.
  const asked = filesWith(/\baskRoutes\(/).flatMap((path) =>
    [...readText(path).matchAll(/\baskRoutes\(([^),]*)/g)].map(([, base]) => `${path.replace(PAGE, "")} ${base}`),
  )
  expect(asked).toEqual([
    "parts/session-view.ts `${routesBase(routes",
    "parts/store-parts.tsx routesBase(routes",
    "source/ask-routes.ts base: string",
    'source/page-source.ts ""',
    "source/sessions-client.ts base",
  ])
})

test("programs and threads are started by these files alone", () => {
  expect(filesWith(/"node:(?:child_process|worker_threads|cluster|vm)"|nodeChildProcess\(/)).toEqual([
    "packages/agents/src/opencode/program.ts",
    "packages/cli/src/agents/run-agent.ts",
    "packages/cli/src/commands/import/for-agent.ts",
    "packages/cli/src/commands/keep/timer.ts",
    "packages/cli/src/commands/view.ts",
    "packages/cli/src/io/run-pager.ts",
    "packages/cli/src/program/compiled-bundles.ts",
    "packages/cli/src/summarizer/shell-summarizer.ts",
    "packages/storage-fs/src/lazy-modules.ts",
    "packages/storage-fs/src/lock/liveness-socket.ts",
    "packages/storage-fs/src/lock/process-identity.ts",
    "packages/storage-fs/src/terminal-id.ts",
    "packages/stores/src/running/processes.ts",
  ])
})
