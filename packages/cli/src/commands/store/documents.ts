import { count, described, document, list, number, text } from "../../define/document.js"

const store = described(text, "The address of the database, without a password.")

const storeMigrate = document({
  store,
  versions: described(list(number), "The versions of the tables that were missing; empty where they were up to date."),
})

const storeClean = document({ store, uploads: described(count, "How many abandoned uploads were removed.") })

/** What the commands of `treelog store` print with `--json`. */
export const documents = {
  migrate: storeMigrate,
  clean: storeClean,
}
