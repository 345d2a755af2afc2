/** `C:`, `/C:` of a URL, `/mnt/c` of WSL, `/cygdrive/c` of Cygwin, `/c` of Git Bash; WSL and Cygwin have them in lower case. */
const DRIVE = /^(?:\/?([A-Za-z]):|(?:\/mnt|(?:\/proc)?\/cygdrive|)\/([a-z]))(?=\/|$)/
/** `\\?\C:\`, `\\.\C:\`, `\??\C:\`, `\\?\UNC\server\`: long paths of Windows. */
const LONG = /^\/(?:\/[?.]|\?\?)\/(?:(?=[A-Za-z]:)|UNC\/)/i
/** `\\wsl$\Ubuntu`, `\\wsl.localhost\Ubuntu`: the root folder of a Linux, as Windows names it. */
const WSL = /^\/\/wsl(?:\$|\.localhost)\/[^/]+/i
/** Other names of the same folders, on macOS. */
const OF_MACOS = /^(?:\/System\/Volumes\/Data(?=\/)|\/private(?=\/(?:var|tmp|etc)(?:\/|$)))/
const URL_OF_FOLDER = /^(file|vscode-remote):\/\/([^/]*)(\/.*)$/i

/**
 * A folder or file in the one form that all its spellings have: `C:\me\shop`, `\\?\c:\me\shop\`, `/mnt/c/me/./shop` and `file:///c%3A/me/shop`
 * are `C:/me/shop`; `\\server\share` is `//server/share`; `\\wsl$\Ubuntu\home\me` is `/home/me`. Composed, without `.`, `..` and a slash at the end.
 * What is relative stays as it is. Reads no disk: links are not resolved.
 */
export function plainPath(text: string): string {
  const path = pathOfUrl(text).normalize()
  const isOfWindows = /^(?:[A-Za-z]:|\\)/.test(path)
  const slashed = isOfWindows ? path.replaceAll("\\", "/") : path
  if (!slashed.startsWith("/") && !isOfWindows) return path
  const long = LONG.exec(slashed)?.[0]
  const short = long === undefined ? slashed : (/unc\/$/i.test(long) ? "//" : "") + slashed.slice(long.length)
  const local = short.replace(WSL, "").replace(OF_MACOS, "") || "/"
  const [drive, colon, mount] = DRIVE.exec(local) ?? []
  if (drive !== undefined)
    return `${(colon ?? mount ?? "").toUpperCase()}:/${segmentsOf(local.slice(drive.length)).join("/")}`
  if (!local.startsWith("/")) return path
  return `${local.startsWith("//") ? "//" : "/"}${segmentsOf(local).join("/")}`
}

/** Equal for two spellings of one folder: the plain path, in lower case where Windows ignores it. */
export function folderName(text: string): string {
  const path = plainPath(text)
  return isOfWindows(path) ? path.toLowerCase() : path
}

/** Whether a plain path, or a name, is one of Windows: of a drive or a server. */
export function isOfWindows(path: string): boolean {
  return /^(?:[A-Za-z]:\/|\/\/)/.test(path)
}

/** Whether a text is the whole path of a folder or file, on whichever system. */
export function isWholePath(text: string): boolean {
  return /^(?:[A-Za-z]:)?\//.test(plainPath(text))
}

export function isSameFolder(one: string, other: string): boolean {
  return one === other || folderName(one) === folderName(other)
}

/** What of a path is below a folder, with slashes; empty for the folder itself, undefined for what is not in it. */
export function pathBelow(folder: string, path: string): string | undefined {
  const [outer, inner] = [folderName(folder), folderName(path)]
  if (inner === outer) return ""
  if (!inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`)) return undefined
  return segmentsOf(plainPath(path)).slice(segmentsOf(outer).length).join("/")
}

/** A path below a folder, in the spelling of the folder. */
export function joinPath(folder: string, below: string): string {
  if (below === "") return folder
  const separator = /^(?:[A-Za-z]:\\|\\\\)/.test(folder) ? "\\" : "/"
  return `${folder.replace(/[/\\]$/, "")}${separator}${below.replaceAll("/", separator)}`
}

function segmentsOf(path: string): string[] {
  const segments: string[] = []
  for (const segment of path.split("/"))
    if (segment === "..") segments.pop()
    else if (segment !== "" && segment !== ".") segments.push(segment)
  return segments
}

/** The path of a `file://` URL, and of a folder that VS Code has open in WSL; another text is one. */
function pathOfUrl(text: string): string {
  const [, scheme = "", host = "", path = ""] = URL_OF_FOLDER.exec(text) ?? []
  if (scheme === "") return text
  const authority = decoded(host).toLowerCase()
  if (scheme.toLowerCase() !== "file") return authority.startsWith("wsl+") ? decoded(path) : text
  return authority === "" || authority === "localhost" ? decoded(path) : `//${authority}${decoded(path)}`
}

/** A percent sign that begins no escape is a sign of a name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
