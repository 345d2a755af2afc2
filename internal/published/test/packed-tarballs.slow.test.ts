import { posix } from "node:path"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { beforeAll, describe, expect, test } from "vitest"
import { type PackedPackage, packedPackage } from "../src/packed-packages.js"
import { ROOT } from "../src/root.js"
import { readTarball, textsInTarball, withoutHashes } from "../src/tarball.js"
import { packageFolders, readText } from "./repository.js"

const KB = 1024
const REPOSITORY = "https://github.com/treelog/treelog"

/**
 * The most that a tarball may weigh, in KB: a twenty-fifth more than it did when this was set, so that a new form of
 * an agent fits and a library bundled by mistake does not. A third is what the source maps take.
 */
const BUDGET: Readonly<Record<string, number>> = {
  "@treelog/agent-sdks": 33,
  "@treelog/blob-store": 51,
  "@treelog/blob-store-s3": 43,
  "@treelog/bundle": 39,
  "@treelog/agents": 876,
  // Files of quick commands have all that these use of the packages.
  "@treelog/cli": 1834,
  "@treelog/export": 89,
  "@treelog/history-sqlite": 61,
  "@treelog/index-sqlite": 96,
  "@treelog/mcp": 35,
  "@treelog/pi": 29,
  "@treelog/prices": 50,
  "@treelog/secrets": 48,
  "@treelog/session-core": 647,
  "@treelog/storage-fs": 129,
  "@treelog/storage-indexeddb": 10,
  "@treelog/storage-postgres": 56,
  "@treelog/stores": 178,
  "@treelog/viewer": 404,
}

/** An example in a comment imports what its reader has. */
const COMMENT_LINES = /^\s*(?:\*|\/\*\*.*\*\/$).*$/gm

const manifestOf = (folder: string) => JSON.parse(readText(`${folder}/package.json`))

describe.each(packageFolders)("the tarball of %s", (folder) => {
  const { name } = manifestOf(folder)
  const shortName = name.replace("@treelog/", "")
  let packed: PackedPackage
  let texts: ReadonlyMap<string, string>
  const manifest = () => JSON.parse(texts.get("package.json") ?? "")
  beforeAll(async () => {
    packed = await packedPackage(name)
    texts = await textsInTarball(packed)
  })

  test("holds what it needs, and nothing else.", async () => {
    expect([...texts.keys()].sort()).toEqual(packed.files)
    const files = withoutHashes(packed.files).join("\n")
    await expect(`${files}\n`).toMatchFileSnapshot(`__snapshots__/tarball.${shortName}.txt`)
  })

  test("weighs no more than it should.", async () => {
    const { byteLength } = await readTarball(packed)
    expect(byteLength).toBeLessThanOrEqual((BUDGET[name] ?? 0) * KB)
  })

  test("has our licence and the README.", () => {
    expect(texts.get("LICENSE")).toBe(readText("LICENSE"))
    expect(texts.get("README.md")).toBe(readText(`${folder}/README.md`))
  })

  test("says whose it is and where it comes from.", () => {
    expect(manifest()).toMatchObject({
      license: "MIT",
      author: "treelog contributors",
      description: expect.stringMatching(/^[A-Z].{20,}[^.]$/),
      keywords: expect.arrayContaining([expect.stringMatching(/^[\w-]+$/)]),
      homepage: `${REPOSITORY}/tree/main/${folder}#readme`,
      bugs: `${REPOSITORY}/issues`,
      repository: { type: "git", url: `git+${REPOSITORY}.git`, directory: folder },
      engines: { node: ">=20.19" },
    })
  })

  test("needs versions that can be published, and runs nothing when it is installed.", () => {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest()
    const ranges = Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    expect(ranges.filter(([, range]) => !/^[\d^~]/.test(String(range)))).toEqual([])
    const ours = ranges.filter(([dependency]) => dependency.startsWith("@treelog/"))
    expect(ours.filter(([, range]) => range !== `^${packed.version}`)).toEqual([])
    expect(manifest()).not.toHaveProperty("scripts")
  })

  test("names no private package: what it needs of one is built in.", () => {
    expect(manifest()).not.toHaveProperty("devDependencies")
    const code = [...texts].filter(([path]) => !path.endsWith(".map"))
    expect(code.filter(([, text]) => text.includes("@treelog-internal/")).map(([path]) => path)).toEqual([])
  })

  test("exports what our workspace exports, without the way to the sources, which stay here.", () => {
    const { "./package.json": manifestPath, ...exported } = manifestOf(folder).exports
    const withoutSources = Object.entries<Record<string, string>>(exported).map(([path, conditions]) => {
      const { "@treelog/source": _, ...others } = conditions
      return [path, others]
    })
    expect(manifest().exports).toEqual({ ...Object.fromEntries(withoutSources), "./package.json": manifestPath })
  })

  test("has every file that its modules import, and that its manifest names.", () => {
    const imported = [...texts].flatMap(([path, text]) =>
      /\.(js|d\.ts)$/.test(path)
        ? [...text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)].map(([, target = ""]) =>
            posix.join(posix.dirname(path), target),
          )
        : [],
    )
    const named = JSON.stringify([manifest().exports, manifest().bin, manifest().man]).match(/(dist|man)\/[^"]+/g) ?? []
    expect(named.length).toBeGreaterThan(0)
    expect([...imported, ...named].filter((path) => !texts.has(path))).toEqual([])
  })

  test("names each package that its modules and types import.", () => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest()
    const named = new Set([name, ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })])
    const imported = [...texts].flatMap(([path, text]) =>
      /\.(js|d\.ts)$/.test(path)
        ? [
            ...text
              .replace(COMMENT_LINES, "")
              .matchAll(/\b(?:from|import|import\()\s*"(?!node:)((?:@[\w-]+\/)?[\w-][\w.-]*)(?:\/[\w./-]+)?"/g),
          ].map(([, imported = ""]) => imported)
        : [],
    )
    expect([...new Set(imported)].filter((imported) => !named.has(imported))).toEqual([])
  })

  test("has source maps that hold their sources, and name no folder of the machine that built it.", () => {
    const maps = [...texts].filter(([path]) => path.endsWith(".map")).map(([, text]) => JSON.parse(text))
    expect(maps.length).toBeGreaterThan(0)
    const sources = maps.flatMap(({ sources }) => sources)
    expect(sources.filter((source) => !source.startsWith("../"))).toEqual([])
    expect(maps.filter(({ sources, sourcesContent = [] }) => sourcesContent.length !== sources.length)).toEqual([])
    expect([...texts].filter(([, text]) => text.includes(ROOT)).map(([path]) => path)).toEqual([])
  })

  test("is as publint wants it, in its strict mode.", async () => {
    const { messages, pkg } = await publint({ pack: { tarball: await readTarball(packed) }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  test("has types that are what they say, for modules.", async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(await readTarball(packed))))
    // The command is for shells, and has no types.
    expect(result.types === false).toBe(name === "@treelog/cli")
    const ofOldResolutions = (problem: object) =>
      "resolutionKind" in problem && ["node10", "node16-cjs"].includes(String(problem.resolutionKind))
    const problems = result.types === false ? [] : result.problems
    expect(problems.filter((problem) => !ofOldResolutions(problem))).toEqual([])
  })
})
