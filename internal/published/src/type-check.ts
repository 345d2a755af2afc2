import { join } from "node:path"
import ts from "typescript"
import { ROOT } from "./root.js"

export type ModuleResolution = "nodenext" | "bundler"

export const MODULE_RESOLUTIONS: readonly ModuleResolution[] = ["nodenext", "bundler"]

const SETTINGS: Record<ModuleResolution, ts.CompilerOptions> = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
}

export interface TypeCheckOptions {
  readonly resolution: ModuleResolution
  /** Whether the types of Node are there. */
  readonly node: boolean
  /** Such as `["es2022", "dom"]`; without these, those of the browser are left out. */
  readonly lib?: readonly string[]
}

/** Texts of the libraries, which are long and the same in every program. */
const libraries = new Map<string, ts.SourceFile>()

/**
 * What TypeScript finds wrong with files of a project, and with every declaration that they come to from there, but for
 * its own libraries and those of Node.
 * @returns a line for each fault
 */
export function typeFaults(files: readonly string[], how: TypeCheckOptions): string[] {
  const { resolution, node, lib = ["es2022"] } = how
  const options: ts.CompilerOptions = {
    ...SETTINGS[resolution],
    target: ts.ScriptTarget.ES2022,
    lib: lib.map((name) => `lib.${name}.d.ts`),
    types: node ? ["node"] : [],
    typeRoots: [join(ROOT, "node_modules", "@types")],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  }
  const program = ts.createProgram(files, options, sharingHost(options))
  const checked = program.getSourceFiles().filter(({ fileName }) => !isLibrary(fileName))
  const faults = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ]
  return faults.map(({ file: source, start = 0, messageText }) => {
    const place = source ? `${source.fileName}:${source.getLineAndCharacterOfPosition(start).line + 1} ` : ""
    return place + ts.flattenDiagnosticMessageText(messageText, " ")
  })
}

/** They are in our repository, and the packages that are checked do not. */
const isLibrary = (path: string) => path.startsWith(ROOT)

function sharingHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (name, target, ...rest) => {
    if (!isLibrary(name)) return read(name, target, ...rest)
    const key = `${name} ${JSON.stringify(target)}`
    const source = libraries.get(key) ?? read(name, target, ...rest)
    if (source) libraries.set(key, source)
    return source
  }
  return host
}
