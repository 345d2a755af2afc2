import type { Case, Sample } from "./question.js"
import { type Figures, figuresOf } from "./statistics.js"

/** What one contender did in one case. */
export interface Row {
  readonly case: string
  readonly size: number
  readonly series?: Case["series"]
  readonly contender: string
  readonly isProbe: boolean
  /** Of `cpuMs` and `peakRss` only those of the process are known that started the one that did the work. */
  readonly isSpawned: boolean
  readonly samples: number
  /** Milliseconds of the work. */
  readonly ms: Figures
  /** Milliseconds of processors, in all threads. */
  readonly cpuMs: Figures
  /** Milliseconds from the start of the process. */
  readonly sinceStartMs: Figures
  /** Bytes. */
  readonly peakRss: Figures
  /** What the work measured on its own. */
  readonly own: Readonly<Record<string, Figures>>
}

export function rowOf(
  { name, size, series, probes = {}, isSpawned = false }: Case,
  contender: string,
  samples: readonly Sample[],
): Row {
  const ownNames = Object.keys(samples[0]?.figures ?? {})
  const own = (figure: string): Figures => figuresOf(samples.map(({ figures }) => figures?.[figure] ?? Number.NaN))
  return {
    case: name,
    size,
    ...(series && { series }),
    contender,
    isProbe: contender in probes,
    isSpawned,
    samples: samples.length,
    ms: figuresOf(samples.map(({ ms }) => ms)),
    cpuMs: figuresOf(samples.map(({ cpuMs }) => cpuMs)),
    sinceStartMs: figuresOf(samples.map(({ sinceStartMs }) => sinceStartMs)),
    peakRss: figuresOf(samples.map(({ peakRss }) => peakRss)),
    own: Object.fromEntries(ownNames.map((figure) => [figure, own(figure)])),
  }
}
