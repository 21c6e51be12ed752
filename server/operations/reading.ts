import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { TermKind, Terms } from '@candor/core/protocol/wire/changes.ts'
import { differences } from '@candor/core/protocol/wire/changes.ts'
import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { type AskTerms, assetsOf, currentOf, type Listing } from './kinds.ts'
import type { OperationRow } from './operations.ts'
import type { Area, OperationsDb } from './tables.ts'
import { toText } from './terms.ts'
import { subjectsOf } from './withdrawals.ts'

export type ReadingParts = { readonly db: OperationsDb; readonly clock: Clock; readonly ask: AskTerms }
export type OperationFilter = {
  readonly area?: Area | undefined
  readonly state?: 'open' | 'past' | undefined
  readonly before?: number | undefined
}

export const operationsPage = 50

/** Terms as they are now, for pages. */
export class TermsNow {
  readonly #parts: Pick<ReadingParts, 'db' | 'ask'>

  constructor(parts: Pick<ReadingParts, 'db' | 'ask'>) {
    this.#parts = parts
  }

  async markets() {
    const { ask } = this.#parts
    const { assets, markets } = await ask.listing()
    const shown = await Promise.all(
      markets.map(async ({ symbol, perp, tick, lot }) => {
        const kind = perp === undefined ? ('spot' as const) : ('futures' as const)
        const now = await currentOf(ask, kind, symbol)
        return { kind, subject: symbol, assets: assetsOf(now), terms: now.terms!, tick, lot }
      }),
    )
    const core = await ask.marginTerms()
    const margin = core === null ? null : toText('margin', core, { assets, markets, usdt: scaleOf(assets, 'USDT') })
    const conversion = await currentOf(ask, 'conversion', '').then(({ terms }) => terms, unset)
    return { markets: shown, margin, conversion, coins: assets.map(({ symbol, scale }) => ({ symbol, scale })) }
  }

  /** The fee schedule, and the terms of referral. */
  async fees(): Promise<{ readonly terms: Terms; readonly referral: Terms | null }> {
    const { ask } = this.#parts
    const [{ terms }, referral] = [await currentOf(ask, 'fees', ''), await currentOf(ask, 'referral', '').then((now) => now.terms, unset)]
    return { terms: terms!, referral }
  }

  /** Regions with rows of their own; `*` is last. */
  async countries() {
    const rows = await this.#parts.ask.regions()
    return { countries: rows.map(({ region, ...terms }) => ({ subject: region, terms })) }
  }

  /** Each asset on each network on which customers withdraw; `terms` null: nobody has set any, so withdrawals are closed there. */
  async networks() {
    const { ask } = this.#parts
    const { assets } = await ask.listing()
    const networks = await Promise.all(
      subjectsOf(ask.networks, assets).map(async (subject) => {
        const { terms, place } = await currentOf(ask, 'withdrawal', subject)
        return { subject, assets: [place!.asset.symbol], terms }
      }),
    )
    return { networks }
  }

  /** Second: its terms, its fund, and the number and sum of the running orders of each market, without their directions. */
  async house() {
    const { ask, db } = this.#parts
    const [{ terms, isOpen, fund, markets }, { assets, markets: listed }] = await Promise.all([ask.optionTerms(), ask.listing()])
    const usdt = scaleOf(assets, 'USDT')
    const { rows } = await sql<{ market: string; orders: number; stakes: string }>`
      select market, count(*)::int as orders, trim_scale(sum(stake))::text as stakes from options where result is null group by 1`.execute(
      db,
    )
    const of = new Map(rows.map((row) => [row.market, row]))
    return {
      ...{ isOpen, fund: formatUnits(fund, usdt) },
      terms: terms === null ? null : toText('second', terms, { assets, markets: listed, usdt }),
      markets: markets.map(({ market, isPaused }) => {
        const { symbol } = listed.find(({ id }) => id === market)!
        const { orders = 0, stakes = '0' } = of.get(symbol) ?? {}
        return { symbol, isPaused, orders, stakes }
      }),
    }
  }
}

/** For terms that nobody has set yet. */
function unset(cause: unknown): null {
  if (cause instanceof Refused && cause.refusal === 'NOT_FOUND') return null
  throw cause
}

/** Decisions, newest first. */
export class Decisions {
  readonly #parts: ReadingParts

  constructor(parts: ReadingParts) {
    this.#parts = parts
  }

  /** `next`: the `before` of the following page. */
  async page({ area, state, before }: OperationFilter, size = operationsPage) {
    const { db, clock, ask } = this.#parts
    const now = clock()
    const rows = await db
      .selectFrom('operations as o')
      .innerJoin('staff as p', 'p.id', 'o.proposed_by')
      .leftJoin('staff as d', 'd.id', 'o.decided_by')
      .selectAll('o')
      .select(['p.email as proposedBy', 'd.email as decidedBy'])
      .$if(area !== undefined, (query) => query.where('o.area', '=', area!))
      .$if(state === 'open', (query) => query.where('o.state', '=', 'open').where('o.expires_at', '>', now))
      .$if(state === 'past', (query) =>
        query.where((where) => where.or([where('o.state', '<>', 'open'), where('o.expires_at', '<=', now)])),
      )
      .$if(before !== undefined, (query) => query.where('o.id', '<', before!))
      .orderBy('o.id', 'desc')
      .limit(size)
      .execute()
    const listing = await ask.listing()
    const operations = await Promise.all(rows.map(async (row) => shown(row, { now, listing, isStale: await this.#isStale(row, now) })))
    const last = rows.at(-1)
    return { operations, ...(rows.length < size || last === undefined ? {} : { next: last.id }) }
  }

  /** throws  Refused NOT_FOUND */
  async one(id: number) {
    const { operations } = await this.page({ before: id + 1 }, 1)
    const [found] = operations.filter((one) => one.id === id)
    if (found === undefined) throw new Refused('NOT_FOUND')
    return found
  }

  /** Whether an open proposal can't be approved any more, because the terms have changed since. */
  async #isStale({ state, expires_at: expiresAt, kind, subject, base }: OperationRow, now: number): Promise<boolean> {
    if (state !== 'open' || expiresAt <= now) return false
    const current = await currentOf(this.#parts.ask, kind, subject).catch(() => undefined)
    if (current === undefined) return true
    return current.terms === null ? base !== null : base === null || differences(kind, base, current.terms).length > 0
  }
}

type Named = OperationRow & { readonly proposedBy: string; readonly decidedBy: string | null }

function shown(row: Named, { now, listing, isStale }: { readonly now: number; readonly listing: Listing; readonly isStale: boolean }) {
  const { id, area, kind, subject, payment, reason, proposedBy, decidedBy, why, seq, refusal } = row
  return {
    ...{ id, area, kind, subject, assets: assetsFor(kind, subject, row.terms, listing), payment, reason, isClosing: row.is_closing },
    ...{ differences: differences(kind, row.base, row.terms), proposedBy, proposedAt: row.proposed_at, expiresAt: row.expires_at },
    state: row.state === 'open' && row.expires_at <= now ? ('expired' as const) : row.state,
    ...{ decidedBy, decidedAt: row.decided_at, why, doneAt: row.done_at, seq, refusal, isStale },
  }
}

/** Symbols of the assets that a decision's values are in: base and quote, or the one that it is about. */
export function assetsFor(kind: TermKind, subject: string, terms: Terms, listing: Listing): readonly string[] {
  if (kind === 'listing') return [String(terms['base']), String(terms['quote'])]
  if (kind === 'posting') return [String(terms['asset'])]
  if (kind === 'withdrawal') return [subject.split(':')[0]!]
  if (kind === 'presale') return [String(terms['token'])]
  if (kind === 'futures-listing') {
    const source = listing.markets.find(({ symbol }) => symbol === terms['index'])
    return source === undefined ? [] : assetsOf({ market: source, listing })
  }
  if (kind !== 'spot' && kind !== 'futures') return []
  return assetsOf({ market: listing.markets.find(({ symbol }) => symbol === subject)!, listing })
}
