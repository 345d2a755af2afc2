import { count, described, document, list, number, text } from "../../define/document.js"

const store = described("The address of the database, without a password.", text)

const storeMigrate = document({
  store,
  versions: list("The versions of the tables that were missing; empty where they were up to date.", number),
})

const storeClean = document({ store, uploads: described("How many abandoned uploads were removed.", count) })

export const documents = {
  migrate: storeMigrate,
  clean: storeClean,
}
