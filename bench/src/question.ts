import type { Bar } from "./bar.js"
import type { Recipe } from "./data/recipe.js"

/** One thing that we want to know in figures: a script under questions/. */
export interface Question {
  readonly name: string
  /** What is asked, in a sentence. */
  readonly asks: string
  /** Samples of each contender in each case. */
  readonly rounds: number
  readonly cases: readonly Case[]
}

/** Stops what a case started. */
export type Stop = () => Promise<void>

/** One row of the answer. */
export interface Case {
  readonly name: string
  /** How many things the work is done to; the figures are also given for one of them. */
  readonly size: number
  /** The work is done by a process that the sample starts: what that takes of processors and memory is not known. */
  readonly isSpawned?: boolean
  /** Where the question's number of samples would take too long. */
  readonly rounds?: number
  /** Files of the case's folder, by name, that are made once and kept for later runs. No contender may change them. */
  readonly data?: Readonly<Record<string, Recipe>>
  /** Makes what else the contenders work on, once, in a folder of the case's own; or starts it, and returns how to stop it. */
  prepare?(folder: string): void | Promise<void> | Promise<Stop>
  /** Who is compared, in the order in which they take turns. All have to come to the same answer. */
  readonly contenders: Readonly<Record<string, Contender>>
  /** The least work that could do it. It takes its turns after the contenders; its answer is not compared with theirs. */
  readonly probes?: Readonly<Record<string, Contender>>
  /** Who takes no part, and why. */
  readonly absent?: Readonly<Record<string, string>>
  /** What we want of the figures. A missed bar is reported, and is not an error. */
  readonly bars?: readonly Bar[]
  /** Cases of one series ask the same of ever larger things: their figures are also put side by side. */
  readonly series?: { readonly name: string; readonly at: number }
}

/**
 * Does what is not measured (loading code, copying what will be changed), and gives the work that is.
 * @param folder the case's own, with its data: all samples share it
 * @param scratch an empty folder of this sample alone, which goes when it ends
 */
export type Contender = (folder: string, scratch: string) => Promise<Work>

export interface Work {
  /** This is measured. */
  run(): unknown
  /** A short description of the result, made after the measurement. It must be the same for all contenders of a case. */
  answer(result: unknown): string | number | Promise<string | number>
  /** What the work measured on its own, by name and unit, such as `"p95 ms"`. */
  figures?(result: unknown): Readonly<Record<string, number>>
}

/** What one process measured. */
export interface Sample {
  /** The work, in milliseconds. */
  readonly ms: number
  /** What it took of processors, in milliseconds: in all threads, in the system too. Other work of the machine adds little to it. */
  readonly cpuMs: number
  /** From the start of the process to the end of the work, in milliseconds: with Node's own start and the loading of code. */
  readonly sinceStartMs: number
  /** Most memory that the process had at the end of the work, in bytes. */
  readonly peakRss: number
  readonly answer: string | number
  readonly figures?: Readonly<Record<string, number>>
}
