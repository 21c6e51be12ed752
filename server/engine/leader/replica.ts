import type { Exchange } from '@candor/core/exchange/exchange.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type pg from 'pg'
import { readJournal } from '../../journal/read.ts'
import type { Recovered, RecoverOptions } from '../../journal/recover.ts'
import { replayRow } from '../../journal/replay.ts'
import type { Head } from '../../journal/row.ts'

/** A recovered state that goes on with the journal. */
export class Replica {
  readonly #pool: pg.Pool
  readonly #onReplayed: RecoverOptions['onReplayed']
  readonly #events = new Records()
  #state: Recovered

  constructor(pool: pg.Pool, state: Recovered, onReplayed: RecoverOptions['onReplayed']) {
    this.#pool = pool
    this.#state = state
    this.#onReplayed = onReplayed
  }

  get state(): Recovered {
    return this.#state
  }

  get exchange(): Exchange {
    return this.#state.exchange
  }

  get head(): Head {
    return this.#state.head
  }

  /** Executes all rows up to the current end of the journal, each checked as in a recovery. Throws Damaged at the first mismatch. */
  async follow(): Promise<void> {
    for await (const row of readJournal(this.#pool, this.head)) {
      replayRow(this.exchange, row, this.#events)
      this.#onReplayed?.(row, this.#events)
      this.#state = { ...this.#state, head: { seq: row.seq, hash: row.hash }, replayed: this.#state.replayed + row.n }
    }
  }
}
