import { type Refusal, refusals } from '@candor/core/protocol/refusal.ts'
import { type Sample, sample, Spread } from './samples.ts'

/** A batch that became durable. `closedAt`: on the steady clock, when it was closed and its commit began. */
export type Committed = {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly count: number
  readonly refused: readonly { readonly refusal: number }[]
  readonly closedAt: number
}

/** When a batch was written, on the clock that all processes of a machine share, in milliseconds since 1970. */
export type CommitTimes = { readonly firstSeq: number; readonly lastSeq: number; readonly closedAt: number; readonly durableAt: number }

const commitBounds = [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1, 2, 5]
const batchBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
const nameOf = new Map<number, Refusal>(Object.entries(refusals).map(([name, { id }]) => [id, name as Refusal]))

/** Counts what the engine makes durable. Adds to numbers only, because it runs with each batch. */
export class EngineMeter {
  readonly #commits = new Spread(commitBounds)
  readonly #batches = new Spread(batchBounds)
  readonly #refused = new Map<number, number>()
  readonly #onCommitted: ((times: CommitTimes) => void) | undefined
  #commands = 0
  #epoch = 0

  /** onCommitted  for traces; called before anybody is answered */
  constructor(onCommitted?: (times: CommitTimes) => void) {
    this.#onCommitted = onCommitted
  }

  /** epoch  of the leader that wrote it; 0: not known */
  committed({ firstSeq, lastSeq, count, refused, closedAt }: Committed, epoch: number): void {
    const now = performance.now()
    this.#commands += count
    this.#epoch = epoch
    this.#batches.add(count)
    this.#commits.add((now - closedAt) / 1e3)
    for (const { refusal } of refused) this.#refused.set(refusal, (this.#refused.get(refusal) ?? 0) + 1)
    const { timeOrigin } = performance
    this.#onCommitted?.({ firstSeq, lastSeq, closedAt: timeOrigin + closedAt, durableAt: timeOrigin + now })
  }

  samples(): readonly Sample[] {
    return [
      sample('candor_engine_commands_total', this.#commands),
      sample('candor_engine_epoch', this.#epoch > 0 ? this.#epoch : Number.NaN),
      this.#batches.sample('candor_engine_batch_commands'),
      this.#commits.sample('candor_engine_commit_seconds'),
      ...[...this.#refused].map(([id, count]) => sample('candor_engine_refusals_total', count, { refusal: nameOf.get(id) ?? String(id) })),
    ]
  }
}
