import fc from "fast-check"
import { expect, test } from "vitest"
import { chooseDriver, GRAM_TABLE, gramConditions, gramsOf, type SqliteDatabase } from "../src/index.js"

const character = fc.constantFrom(..."abc\"*()'-^:+.构建更新한🙂")
const word = fc.string({ unit: character, minLength: 1, maxLength: 6 })
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "))

async function gramTable(): Promise<SqliteDatabase> {
  const driver = await chooseDriver()
  if (!("open" in driver)) throw new Error(driver.needs)
  const db = driver.open(":memory:")
  db.exec(`CREATE VIRTUAL TABLE gram USING fts5(${GRAM_TABLE})`)
  return db
}

test("the conditions find every text that contains all terms, whatever characters these have", async () => {
  const db = await gramTable()
  const insert = db.prepare("INSERT INTO gram(rowid, grams) VALUES (?, ?)")
  const search = db.prepare("SELECT rowid AS id FROM gram WHERE gram MATCH ?")
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      (texts, terms) => {
        db.exec("INSERT INTO gram(gram) VALUES ('delete-all')")
        for (const [at, each] of texts.entries()) insert.run(at + 1, gramsOf(each))
        const found = new Set(search.all<{ id: number }>(gramConditions(terms).join(" AND ")).map(({ id }) => id))
        const expected = texts.flatMap((each, at) => (terms.every((term) => each.includes(term)) ? [at + 1] : []))
        expect(expected.filter((id) => !found.has(id))).toEqual([])
      },
    ),
  )
  db.close()
})

test("one term of up to three characters finds nothing else", async () => {
  const db = await gramTable()
  const insert = db.prepare("INSERT INTO gram(rowid, grams) VALUES (?, ?)")
  const search = db.prepare("SELECT rowid AS id FROM gram WHERE gram MATCH ?")
  const short = fc.array(character, { minLength: 1, maxLength: 3 }).map((characters) => characters.join(""))
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), short, (texts, term) => {
      db.exec("INSERT INTO gram(gram) VALUES ('delete-all')")
      for (const [at, each] of texts.entries()) insert.run(at + 1, gramsOf(each))
      const found = search.all<{ id: number }>(gramConditions([term]).join(" AND ")).map(({ id }) => id)
      expect(found).toEqual(texts.flatMap((each, at) => (each.includes(term) ? [at + 1] : [])))
    }),
  )
  db.close()
})
