import { type Sample, sample } from '../../watch/samples.ts'

/** A group of metrics that is read together. `minMs`: how long an answer is kept, so that scrapes cost the database little. */
export type Collector = { readonly name: string; readonly minMs: number; readonly read: () => Promise<readonly Sample[]> }

/** A scrape does not wait longer for a group; its answer counts for the next one. */
const answerMs = 2_000

type Kept = { readonly at: number; readonly samples: readonly Sample[]; readonly isUp: boolean }

/** Reads groups of metrics when somebody asks, each at most as often as it may be. A group that fails is left out and says so. */
export class Collectors {
  readonly #collectors: readonly Collector[]
  readonly #kept = new Map<string, Kept>()
  readonly #running = new Map<string, Promise<Kept>>()
  readonly #onFault: (name: string, cause: unknown) => void
  readonly #clock: () => number

  /** onFault  called when a group that could be read fails, and not again until it could be read once more */
  constructor(
    collectors: readonly Collector[],
    onFault: (name: string, cause: unknown) => void,
    clock: () => number = () => performance.now(),
  ) {
    this.#collectors = collectors
    this.#onFault = onFault
    this.#clock = clock
  }

  async samples(): Promise<readonly Sample[]> {
    const found = await Promise.all(this.#collectors.map(async (one) => [one.name, await this.#of(one)] as const))
    return found.flatMap(([collector, { samples, isUp }]) => [sample('candor_collector_up', isUp ? 1 : 0, { collector }), ...samples])
  }

  async #of(one: Collector): Promise<Kept> {
    const kept = this.#kept.get(one.name)
    if (kept !== undefined && this.#clock() - kept.at < one.minMs) return kept
    const late: Kept = { at: 0, samples: [], isUp: false }
    let limit: NodeJS.Timeout | undefined
    const waited = new Promise<Kept>((resolve) => (limit = setTimeout(resolve, answerMs, late)))
    return Promise.race([this.#read(one), waited]).finally(() => clearTimeout(limit))
  }

  #read(one: Collector): Promise<Kept> {
    const running = this.#running.get(one.name)
    if (running !== undefined) return running
    const reading = one
      .read()
      .then(
        (samples): Kept => ({ at: this.#clock(), samples, isUp: true }),
        (cause: unknown): Kept => {
          if (this.#kept.get(one.name)?.isUp !== false) this.#onFault(one.name, cause)
          return { at: this.#clock(), samples: [], isUp: false }
        },
      )
      .then((kept) => {
        this.#kept.set(one.name, kept)
        this.#running.delete(one.name)
        return kept
      })
    this.#running.set(one.name, reading)
    return reading
  }
}
