// Prints why better-sqlite3 cannot be used from a file: the argument.
import { chooseDriver } from "@treelog-internal/sqlite"

console.log(JSON.stringify(await chooseDriver(process.argv[2])))
