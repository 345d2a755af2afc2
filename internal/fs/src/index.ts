// What all that is stored in files shares: the port to the file system, Node's file system behind it, and the operations that
// are more than one call.

export { type FileMarks, identityOf, isSameFile, storedStat } from "./file-identity.js"
export { isFileName } from "./file-name.js"
export { bufferFor, FileRanges, type FileRangesOptions } from "./file-ranges.js"
export { entriesIn } from "./folder-entries.js"
export {
  FILE_MODE,
  FOLDER_MODE,
  makeDurableFolder,
  makeFolder,
  renameDurably,
  syncFolder,
  syncFolderSync,
} from "./folders.js"
export { forEach } from "./for-each.js"
export type { BigInts, FileStat, FolderEntry, FolderWatcher, FsPort, OpenFile, SyncFile } from "./fs-port.js"
export { type GitRepository, gitDirIn, gitRepositoryOf, ifThere, textIfThere, worktreesOf } from "./git-repository.js"
export { type MatchingPath, matchingPaths, patternOf } from "./matching-paths.js"
export { nodeFs } from "./node-fs.js"
export { pause } from "./pause.js"
export { isWithoutLinks, placeNew, renameNew } from "./place-file.js"
export { chunksOf, fileChunks, openPlain, openPlainSync, READ_AT_ONCE, READ_NO_LINK } from "./read-file.js"
export { placesOf, type RealFolder, RealFolders } from "./real-folders.js"
export { notAFile, sessionNotFound } from "./session-errors.js"
export { reportOnce, rowsFolder, type SeenStat, SessionRows } from "./session-rows.js"
export { isFolder, isStat, lstatIfThere, type StatOutcome, statIfThere, statMany } from "./stat-files.js"
export {
  errnoOf,
  ifAllowed,
  isErrno,
  isGone,
  isStorageFault,
  storageError,
  toStorageError,
  withStorageErrors,
  withStorageErrorsSync,
} from "./storage-error.js"
export { discard, TemporaryFiles } from "./temporary-files.js"
export {
  absoluteFolder,
  cacheFolderOf,
  type Env,
  folderByVariables,
  homeOf,
  sessionsByVariables,
  withoutTilde,
} from "./user-folders.js"
export { watchFile } from "./watch-file.js"
export {
  readWhole,
  readWholeSync,
  uninterruptedSync,
  writeChunks,
  writeWhole,
  writeWholeSync,
} from "./whole-io.js"
