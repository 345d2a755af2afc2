import { readFileSync } from "node:fs"
import { mkdtemp, writeFile } from "node:fs/promises"
import { join } from "node:path"
import ts from "typescript"
import { ROOT } from "./root.js"

export interface ReadmeExample {
  readonly name: string
  /** Which one it is in its README, from 1. */
  readonly number: number
  readonly code: string
  /** The packages of ours that it imports. */
  readonly imports: readonly string[]
}

/** The examples of a package, in the order in which its README has them. */
export function readmeExamples(name: string): readonly ReadmeExample[] {
  const readme = readFileSync(join(ROOT, name.replace("@treelog/", "packages/"), "README.md"), "utf8")
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""], index) => ({
    name,
    number: index + 1,
    code,
    imports: [...new Set([...code.matchAll(/from "(@treelog\/[\w-]+)/g)].map(([, imported = ""]) => imported))],
  }))
}

/** An example that was written into a folder of its own, below a project. */
export interface WrittenExample {
  readonly folder: string
  readonly typescript: string
  readonly javascript: string
}

export async function writeExample(project: string, example: ReadmeExample): Promise<WrittenExample> {
  const folder = await mkdtemp(join(project, "example-"))
  const written = { folder, typescript: join(folder, "example.ts"), javascript: join(folder, "example.js") }
  await writeFile(written.typescript, example.code)
  await writeFile(written.javascript, javascriptOf(example.code))
  return written
}

/** What is left of TypeScript when the types are taken off. */
export function javascriptOf(code: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }
  return ts.transpileModule(code, { compilerOptions }).outputText
}
