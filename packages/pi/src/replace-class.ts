/** pi's module, also where it was built from a source map or lies under another folder. */
const PI_SESSIONS = /\/pi-coding-agent\/dist\/core\/session-manager\.js$/

/** A part of the bundle that the command of pi 1.x is. */
const PI_CHUNK = /\/pi-coding-agent\/dist\/bundle\/.+\.js$/
/** Only the class of pi has it, whatever its name is. */
const OF_THE_CLASS = "static continueRecent("
const DEFINITION = /\bSessionManager\s*=\s*class\b/

/** pi's own module keeps everything but the class. */
const ORIGINAL = "?treelog-original"

/**
 * The source of pi's module with the class of this package in the place of its own; undefined for any other module.
 * @param read gives the source of the module
 * @throws Error for a bundle of pi in which the class is not found
 */
export function withTreelogClass(url: string, read: () => string): string | undefined {
  const ours = JSON.stringify(new URL("./index.js", import.meta.url).href)
  if (PI_SESSIONS.test(url))
    return `export * from ${JSON.stringify(url + ORIGINAL)}\nexport { SessionManager } from ${ours}`
  if (!PI_CHUNK.test(url)) return undefined
  const source = read()
  if (!source.includes(OF_THE_CLASS)) return undefined
  if (!DEFINITION.test(source))
    throw new Error(
      `The session manager of this pi cannot be replaced: ${url} has another form than that of pi 1.5. Start pi without @treelog/pi/register.`,
    )
  return `${source}\nimport { SessionManager as TreelogSessionManager } from ${ours}\nSessionManager = TreelogSessionManager\n`
}
