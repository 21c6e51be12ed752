import {
  differences,
  isPublicName,
  publicKinds,
  type PublicKind,
  type WireChange,
  type WireChanges,
} from '@candor/core/protocol/wire/changes.ts'
import type { AskTerms } from './kinds.ts'
import { assetsFor } from './reading.ts'
import type { OperationsDb } from './tables.ts'

export const changesPage = 50

/** The public list of decisions about terms that the core carried out: what, and when, and nobody's name or reason. */
export class Changes {
  readonly #db: OperationsDb
  readonly #ask: Pick<AskTerms, 'listing'>

  constructor(db: OperationsDb, ask: Pick<AskTerms, 'listing'>) {
    this.#db = db
    this.#ask = ask
  }

  /** Newest first, in the order of the decisions. */
  async page(before?: number, limit = changesPage): Promise<WireChanges> {
    const rows = await this.#db
      .selectFrom('operations')
      .select(['id', 'kind', 'subject', 'terms', 'base', 'payment', 'done_at', 'seq'])
      .where('state', '=', 'approved')
      .where('done_at', 'is not', null)
      .where('kind', 'in', publicKinds)
      .$if(before !== undefined, (query) => query.where('id', '<', before!))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    const listing = rows.length === 0 ? undefined : await this.#ask.listing()
    const changes = rows.map(
      ({ id, kind, subject, terms, base, payment, done_at: at, seq }): WireChange => ({
        ...{ number: id, kind: kind as PublicKind, subject, assets: assetsFor(kind, subject, terms, listing!) },
        differences: differences(kind, base, terms).filter(({ name }) => isPublicName(name)),
        ...(payment === null ? {} : { paid: payment.amount }),
        at: at!,
        ...(seq === null ? {} : { seq }),
      }),
    )
    const last = rows.at(-1)
    return { changes, ...(rows.length < limit || last === undefined ? {} : { next: last.id }) }
  }
}
