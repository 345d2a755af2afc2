import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import {
  errnoOf,
  isErrno,
  isGone,
  isStorageFault,
  lstatIfThere,
  makeDurableFolder,
  makeFolder,
  nodeFs,
  openPlain,
  READ_NO_LINK,
  statIfThere,
  statMany,
  syncFolder,
  withStorageErrors,
} from "@treelog-internal/fs"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { expect, onTestFinished, test } from "vitest"

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "treelog-fs-"))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

const failing = (operation: string, fault: "EIO" | "EPERM" = "EIO") => new FaultFs(nodeFs, { fault, operation }).fs

test("A system's error becomes a StorageError with its code, and any other stays what it is.", async () => {
  const missing = () => nodeFs.stat("/no/such/file", { bigint: true })
  await expect(withStorageErrors("a key", "read", missing)).rejects.toMatchObject({
    code: "StorageError",
    message: "Cannot read a key: ENOENT",
    data: { key: "a key", operation: "read", errno: "ENOENT" },
  })
  const other = new TreelogError("SessionNotFoundError", "none", { ref: "x" })
  const throwing = async () => {
    throw other
  }
  await expect(withStorageErrors("a key", "read", throwing)).rejects.toBe(other)
  const nul = withStorageErrors("a\0b", "read", () => nodeFs.stat("a\0b", { bigint: true }))
  await expect(nul).rejects.toMatchObject({ code: "InvalidArgumentError", data: { argument: "path" } })
})

test("Codes that are not the system's are not taken for errors of the system.", async () => {
  const error = await nodeFs.lstat("/no/such/file", { bigint: true }).catch((reason: unknown) => reason)
  expect([errnoOf(error), isGone(error), isErrno(error, "EIO"), isStorageFault(error)]).toEqual([
    "ENOENT",
    true,
    false,
    true,
  ])
  for (const code of ["ERR_INVALID_ARG_VALUE", 5, undefined]) {
    expect(errnoOf(Object.assign(new Error("not the system"), { code }))).toBeUndefined()
  }
  expect(isStorageFault("a text")).toBe(false)
})

test("Folders are made, and those that got a new name in them are named, the innermost first.", async () => {
  const root = await folder()
  expect(makeFolder(nodeFs, join(root, "a", "b"))).toEqual([join(root, "a"), root])
  expect(makeFolder(nodeFs, join(root, "a", "b"))).toEqual([])
  await expect(makeDurableFolder(failing("file.sync"), join(root, "c"))).rejects.toMatchObject({ code: "EIO" })
  await makeDurableFolder(nodeFs, join(root, "d", "e"))
  expect(existsSync(join(root, "d", "e"))).toBe(true)
})

test("A file system that cannot sync folders is no fault, and one that fails to is.", async () => {
  const root = await folder()
  const unsupported = async () => {
    throw Object.assign(new Error("no such call"), { code: "EINVAL" })
  }
  const open: typeof nodeFs.open = async (...args) => Object.assign(await nodeFs.open(...args), { sync: unsupported })
  await syncFolder({ ...nodeFs, open }, root)
  if (process.platform !== "win32")
    await expect(syncFolder(failing("file.sync"), root)).rejects.toMatchObject({ code: "EIO" })
})

test("What is not there has no stat, and what cannot be reached is an error.", async () => {
  const root = await folder()
  expect([await statIfThere(nodeFs, join(root, "x")), await lstatIfThere(nodeFs, join(root, "x"))]).toEqual([
    undefined,
    undefined,
  ])
  await expect(statIfThere(failing("stat", "EPERM"), root)).rejects.toMatchObject({ code: "EPERM" })
  await expect(lstatIfThere(failing("lstat", "EPERM"), root)).rejects.toMatchObject({ code: "EPERM" })
  const [found, none, failed] = await statMany(failing("statSync"), [root]).then(async ([error]) => [
    ...(await statMany(nodeFs, [root, join(root, "x")])),
    error,
  ])
  expect([(found as { isDirectory(): boolean }).isDirectory(), none, errnoOf(failed)]).toEqual([true, undefined, "EIO"])
})

test("Other work runs while the files of many small folders are listed.", async () => {
  const root = await folder()
  let hasRun = false
  setImmediate(() => {
    hasRun = true
  })
  for (let folders = 0; folders < 20; folders++) await statMany(nodeFs, Array<string>(10).fill(root))
  expect(hasRun).toBe(true)
})

test.skipIf(process.platform === "win32")(
  "What is no plain file, or a link, is not opened, and nothing stays open.",
  async () => {
    const root = await folder()
    await expect(openPlain(nodeFs, root)).rejects.toMatchObject({ code: "StorageError" })
    await nodeFs.symlink(join(root, "x"), join(root, "link"))
    await expect(openPlain(nodeFs, join(root, "link"), READ_NO_LINK)).rejects.toMatchObject({ code: "ELOOP" })
    const faulty = new FaultFs(nodeFs, { fault: "EIO", operation: "file.stat" })
    await expect(openPlain(faulty.fs, root)).rejects.toMatchObject({ code: "EIO" })
    expect(faulty.calls).toEqual(["open", "file.stat", "file.close"])
  },
)
