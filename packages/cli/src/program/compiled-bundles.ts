// Node 20 compiles all code anew in each process. Newer Node keeps what it compiled (`module.enableCompileCache`): with the last release for Node 20, this
// file goes. It makes a list in a home of twelve stores, beyond Node's own start, twice as fast.

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"
import { Script } from "node:vm"
import { crc32 } from "node:zlib"
import { cacheFolderOf, type Env, ifAllowed } from "@treelog-internal/fs"

/**
 * Before the compiled code: a checksum of the source and of the program that compiled it, and a checksum of the code. V8 checks its version, its flags
 * and the length of the source.
 */
const HEADER_BYTES = 8

/** What a bundle requires as it is built: another one. */
const BUNDLE = /^\..*\.js$/

/**
 * Loads bundles in CommonJS with the code that was compiled of them in a process before this one.
 * @param bundles the folder that has the bundles
 * @param node distinguishes programs whose code may differ
 */
export function openCompiledBundles(bundles: string, env: Env, node = nodeProgram(env)) {
  const folder = join(cacheFolderOf(env), "code")
  const exports = new Map<string, unknown>()
  /** What was compiled in this process, with its checksum, by the file that is to keep it. */
  const compiled = new Map<string, { readonly script: Script; readonly checksum: number }>()

  /** What a bundle exports. @param file its absolute path */
  function load(file: string): unknown {
    if (!exports.has(file)) {
      const module = { exports: {} }
      const require = createRequire(file)
      const loadOrRequire = (id: string) => (BUNDLE.test(id) ? load(join(dirname(file), id)) : require(id))
      scriptOf(file).runInThisContext()(module.exports, loadOrRequire, module, file, dirname(file))
      exports.set(file, module.exports)
    }
    return exports.get(file)
  }

  /** Keeps what was compiled, with the functions that have run. Where it cannot be kept, the next process compiles it again. */
  function keep(): void {
    for (const [path, { script, checksum }] of compiled) {
      const code = script.createCachedData()
      const header = Buffer.alloc(HEADER_BYTES)
      header.writeUInt32LE(checksum, 0)
      header.writeUInt32LE(crc32(code), 4)
      // One name for all processes: if two write it at once, the checksum shows.
      const temporary = `${path}.new`
      ifAllowed(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        try {
          writeFileSync(temporary, Buffer.concat([header, code]), { mode: 0o600 })
          renameSync(temporary, path)
        } finally {
          rmSync(temporary, { force: true })
        }
      })
    }
    compiled.clear()
  }

  function scriptOf(file: string): Script {
    const source = readFileSync(file, "utf8")
    const checksum = crc32(source, crc32(node))
    const path = join(folder, relative(bundles, file).replaceAll(sep, "-"))
    const cachedData = keptCode(path, checksum)
    const wrapped = `(function(exports,require,module,__filename,__dirname){${source}\n})`
    const script = new Script(wrapped, { filename: file, cachedData })
    if (!cachedData || script.cachedDataRejected) compiled.set(path, { script, checksum })
    return script
  }

  return { load, keep }
}

/**
 * What ran the code must be what compiled it. Compiled code has addresses in the heap with which V8 starts, and each build of Node, or Node with other
 * options, may have another one: code of Node 20.19.0 fails in 20.20.2, which has the same version of V8.
 */
function nodeProgram({ NODE_OPTIONS }: Env): string {
  const { version, arch, execPath, execArgv } = process
  const stat = ifAllowed(() => statSync(execPath))
  // A program whose file is gone, after an update, cannot be recognized: nothing fits.
  return [version, arch, execPath, stat?.size, stat?.mtimeMs ?? Math.random(), ...execArgv, NODE_OPTIONS].join(" ")
}

/** A file of another user does not count: that user must not decide what is run. */
function keptCode(path: string, checksum: number): Buffer | undefined {
  const kept = ifAllowed(() => {
    const stat = statSync(path)
    return stat.isFile() && stat.uid === (process.getuid?.() ?? stat.uid) ? readFileSync(path) : undefined
  })
  if (!kept || kept.length < HEADER_BYTES) return undefined
  const code = kept.subarray(HEADER_BYTES)
  return kept.readUInt32LE(0) === checksum && kept.readUInt32LE(4) === crc32(code) ? code : undefined
}
