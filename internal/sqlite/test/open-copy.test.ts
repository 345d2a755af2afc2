import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chooseDriver, openCopy, type SqliteDriver } from "@treelog-internal/sqlite"
import { expect, onTestFinished, test, vi } from "vitest"

const driver = (await chooseDriver()) as SqliteDriver

function written(mode: string) {
  const folder = mkdtempSync(join(tmpdir(), "treelog-snapshot-"))
  const path = join(folder, "sessions.db")
  const db = driver.open(path)
  db.exec(`PRAGMA journal_mode = ${mode}; PRAGMA cache_size = 2; CREATE TABLE session (text)`)
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  return { db, path, folder }
}

const texts = ({ db }: NonNullable<ReturnType<typeof openCopy>>) =>
  db.prepare("SELECT substr(text, 1, 5) AS text FROM session").all()

test.each(["WAL", "DELETE"])(
  "a database in mode %s whose writer is in a transaction is read as a copy, with what was committed",
  (mode) => {
    const { db, path, folder } = written(mode)
    db.exec("INSERT INTO session VALUES ('first')")
    db.exec("BEGIN")
    for (let count = 0; count < 20; count++) db.exec(`INSERT INTO session VALUES ('later' || hex(zeroblob(2000)))`)
    const names = readdirSync(folder)
    expect(names).toContain(mode === "WAL" ? "sessions.db-wal" : "sessions.db-journal")
    const copy = openCopy(driver, path)
    onTestFinished(() => void copy?.db.close())
    expect(copy && texts(copy)).toEqual([{ text: "first" }])
    expect(copy?.isCurrent()).toBe(false)
    db.exec("COMMIT")
    expect(copy && texts(copy)).toHaveLength(1)
    expect(readdirSync(folder)).toEqual(names.filter((name) => !name.endsWith("-journal")))
  },
)

test("a database that was written in the millisecond in which it is copied may change unnoticed", () => {
  const { db, path } = written("DELETE")
  db.exec("INSERT INTO session VALUES ('first')")
  const millisecond = 1_900_000_000_000
  utimesSync(path, millisecond / 1000, (millisecond + 0.5) / 1000)
  vi.spyOn(Date, "now").mockReturnValue(millisecond)
  onTestFinished(() => void vi.restoreAllMocks())
  const copy = () => openCopy(driver, path)
  const early = copy()
  expect(early?.isCurrent()).toBe(false)
  early?.db.close()
  vi.spyOn(Date, "now").mockReturnValue(millisecond + 1_000)
  const settled = copy()
  expect(settled?.isCurrent()).toBe(true)
  settled?.db.close()
})
