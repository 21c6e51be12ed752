import type { LimitedRead } from '@candor/core/protocol/wire/console/surveillance.ts'
import type pg from 'pg'

/** Rows that a read takes at most, so that no day, however it was made, fills the memory. */
export type Limits = { readonly [R in LimitedRead]: number }

export const limits: Limits = {
  ...{ devices: 20_000, documents: 20_000, networks: 20_000, firms: 50_000 },
  ...{ pairs: 1_000, trades: 5_000 },
  // Orders that are cancelled cost nothing, so fewer accounts could be crowded out.
  ...{ quoters: 5_000, largeOrders: 5_000, fills: 5_000 },
  ...{ players: 500, contracts: 5_000 },
}

/** The reads of one report, which remember where they reached a limit. */
export class Reads {
  readonly client: Pick<pg.ClientBase, 'query'>
  readonly limits: Limits
  readonly #atLimit = new Set<LimitedRead>()

  constructor(client: Pick<pg.ClientBase, 'query'>, limits: Limits) {
    this.client = client
    this.limits = limits
  }

  /** Returns the rows that a read took. */
  taken<Row>(read: LimitedRead, rows: readonly Row[]): readonly Row[] {
    if (rows.length >= this.limits[read]) this.#atLimit.add(read)
    return rows
  }

  get atLimit(): readonly LimitedRead[] {
    return [...this.#atLimit].toSorted()
  }
}
