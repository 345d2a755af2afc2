import { realpathSync } from "node:fs"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { expect, test } from "vitest"

const USE = fileURLToPath(new URL("types/use-in-pi.ts", import.meta.url))
const OURS = fileURLToPath(new URL("../../../packages/pi/", import.meta.url))

/** The faults that TypeScript finds in that file and in our package for pi, with the types of this pi. */
function faultsWith(pi: string): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    { extends: fileURLToPath(new URL("../../../tsconfig.base.json", import.meta.url)) },
    ts.sys,
    fileURLToPath(new URL("..", import.meta.url)),
  )
  const types = realpathSync(new URL(`../node_modules/${pi}/dist/index.d.ts`, import.meta.url))
  const program = ts.createProgram([USE], {
    ...options,
    noEmit: true,
    types: ["node"],
    paths: { "@earendil-works/pi-coding-agent": [types] },
  })
  const files = program.getSourceFiles().filter(({ fileName }) => fileName === USE || fileName.startsWith(OURS))
  expect(files.map(({ fileName }) => fileName)).toContain(`${OURS}src/index.ts`)
  expect(program.getSourceFile(types)).toBeDefined()
  return files.flatMap((file) =>
    program
      .getSemanticDiagnostics(file)
      .map(({ messageText }) => `${file.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`),
  )
}

test.each([
  ["0.74.2", "@earendil-works/pi-coding-agent"],
  ["1.6.0", "pi-1"],
])("treelog's SessionManager is taken wherever the types of pi %s ask for theirs", (_, pi) => {
  expect(faultsWith(pi)).toEqual([])
})
