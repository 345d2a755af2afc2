import type { FsPort } from "@treelog-internal/fs"
import { moveFolder } from "../artifacts/artifacts.js"
import { artifactsFolder } from "../place/session-name.js"
import { syncTempName, tempName } from "../write/temp-file.js"

/**
 * Finishes or undoes what a dead lease of the session at the path had started, and removes its temporary files. Artifacts have a
 * temporary name while a session that is created is not there yet, and while one that is removed still is: with the session
 * there, they are whole and belong to it, and without it they have no session.
 */
export function settleLease(fs: FsPort, path: string, token: string): void {
  const artifacts = artifactsFolder(path)
  const temps = [tempName(path, token), syncTempName(path, token), tempName(path, `${token}.old`)]
  if (artifacts !== undefined) {
    const temp = tempName(artifacts, token)
    const isOwned = (fs.lstatSync(path)?.size ?? 0n) > 0n && fs.lstatSync(artifacts) === undefined
    if (isOwned && fs.lstatSync(temp)?.isDirectory()) moveFolder(fs, temp, artifacts, path)
    else temps.push(temp)
  }
  for (const temp of temps) fs.rmSync(temp, { recursive: true, force: true })
}
