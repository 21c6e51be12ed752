import type { Submit } from '@candor/core/protocol/port.ts'
import type { Clock } from '../../ports.ts'
import type { Store } from '../../store/open.ts'
import type { Factors } from '../factors/factors.ts'
import type { Keys } from '../keys.ts'
import { identityDb } from '../tables.ts'
import { Deposits } from './deposits.ts'
import { LossFigures } from './figures.ts'
import { OwnLimits } from './own-limits.ts'
import { turnMs } from './policy.ts'
import { Rests } from './rests.ts'

export type LimitsDeskParts = {
  readonly store: Store
  readonly clock?: Clock
  readonly factors: Factors
  readonly submit: Submit
  readonly keys: Pick<Keys, 'announceAll'>
  readonly mode: 'sandbox' | 'production'
  readonly onFault: (cause: unknown) => void
}

const figuresEveryMs = 3_600_000

/** Customers' own limits and pauses, and what looks after them: losses are compared with limits, the core is told, figures are computed. */
export class LimitsDesk implements AsyncDisposable {
  readonly rests: Rests
  readonly limits: OwnLimits
  readonly deposits: Deposits
  readonly figures: LossFigures
  readonly #onFault: (cause: unknown) => void
  readonly #figuresTimer: NodeJS.Timeout
  #checkTimer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor({ store, clock = Date.now, factors, submit, keys, mode, onFault }: LimitsDeskParts) {
    const db = identityDb(store)
    this.#onFault = onFault
    this.rests = new Rests({ db, clock, factors, submit, keys, onFault })
    this.limits = new OwnLimits({ db, clock, onFault, store, rests: this.rests, mode })
    this.deposits = new Deposits(db, clock)
    this.figures = new LossFigures(store, db, clock)
    this.#figuresTimer = setInterval(() => this.#run(() => this.figures.compute()), figuresEveryMs).unref()
    this.#run(() => this.figures.compute())
    this.#plan()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#figuresTimer)
    clearTimeout(this.#checkTimer)
    await this.#running
  }

  /** The next turn begins a while after the end of this one. */
  #plan(): void {
    if (this.#isClosed) return
    const turn = async (): Promise<void> => {
      await this.rests.finish()
      await this.rests.end()
      await this.limits.check()
    }
    this.#checkTimer = setTimeout(() => {
      this.#run(turn)
      void this.#running.then(() => this.#plan())
    }, turnMs).unref()
  }

  #run(work: () => Promise<void>): void {
    this.#running = this.#running.then(() => (this.#isClosed ? undefined : work())).catch(this.#onFault)
  }
}
