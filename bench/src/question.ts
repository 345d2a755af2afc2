/** One thing that we want to know in figures: a script under questions/. */
export interface Question {
  readonly name: string
  /** What is asked, in a sentence. */
  readonly asks: string
  /** Samples of each contender in each case. */
  readonly rounds: number
  readonly cases: readonly Case[]
}

/** One row of the answer. */
export interface Case {
  readonly name: string
  /** How many things the work is done to; the figures are also given for one of them. */
  readonly size: number
  /** Makes what the contenders work on, once, in a folder of the case's own. */
  prepare(folder: string): void
  /** Who is compared, in the order in which they take turns. */
  readonly contenders: Readonly<Record<string, Contender>>
}

/** Does what is not measured (loading code, copying what will be changed), and gives the work that is. */
export type Contender = (folder: string) => Promise<Work>

export interface Work {
  /** This is measured. */
  run(): unknown
  /** What came out, in short, told after the measuring: all contenders of a case have to say the same. */
  answer(result: unknown): string | number
}

/** What one process measured. */
export interface Sample {
  /** The work, in milliseconds. */
  readonly ms: number
  /** From the start of the process to the end of the work, in milliseconds: with Node's own start and the loading of code. */
  readonly sinceStartMs: number
  /** Most memory that the process had at the end of the work, in bytes. */
  readonly peakRss: number
  readonly answer: string | number
}
