import type { Question } from "../question.js"
import { APPENDS } from "./postgres-appends.js"
import { LISTS_OF_MANY } from "./postgres-lists.js"
import { READS_OF_LARGE } from "./postgres-reads.js"

export const postgres: Question = {
  name: "postgres",
  asks: "How long does it take to append to sessions in PostgreSQL, and to read and list them?",
  rounds: 5,
  cases: [...APPENDS, ...READS_OF_LARGE, ...LISTS_OF_MANY],
}
