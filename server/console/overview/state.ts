import type { Exposure, OverviewState, Problem } from '@candor/core/protocol/wire/console/overview.ts'
import type pg from 'pg'
import { failingSends, haltedSince, queueSizes, withdrawalTroubles } from '../../store/query/console/health.ts'
import { checkChain } from '../../store/query/console/journal.ts'
import { trialNow } from '../../store/query/console/trial.ts'
import { tablesAt } from '../../store/query/console/funds.ts'
import { utilization } from '@candor/core/risk/margin-rate.ts'
import { ifThere, type Watched } from '../watch/watched.ts'
import { type Books, bookProblems, checksOf, limits, queueProblems, systemProblems, withdrawalProblems } from './checks.ts'
import { exposureOf } from './exposure.ts'
import { recent } from './recent.ts'

const booksMs = 60_000
const stateMs = 2_000
/** The newest batches of the journal whose hashes are computed again. */
const batchesChecked = 50
/** Open interest from this share of its limit on is told of. */
const nearShare = 0.9
/** Parts of a utilization of the core, in 1e-9, per millionth. */
const perMillionth = 1_000

/** What is wrong, and the checks. All pages that are open share one answer for two seconds, and the books for a minute. */
export function overviewState(watched: Watched, clock: () => number): () => Promise<OverviewState> {
  const books = recent(booksMs, () => booksOf(watched.pool, clock))
  return recent(stateMs, async () => {
    const { pool } = watched
    const now = clock()
    const [tables, state, queues, failing, counted] = await Promise.all([
      ...([tablesAt(pool), watched.state(), queueSizes(pool), failingSends(pool), books()] as const),
    ])
    const troubles = await withdrawalTroubles(pool, now - limits.requestMs, now)
    const [halts, exposure] = await Promise.all([haltProblems(watched, now), exposureOf(watched, now)])
    const problems = [
      ...[systemProblems(state), bookProblems(counted), halts, fundProblems(exposure), await lendingProblems(watched)],
      queueProblems(queues, failing, now),
      withdrawalProblems(troubles, now),
    ].flat()
    const checks = checksOf({ state, books: counted, queues, seq: tables.seq, now })
    return { tables, booksAt: counted.at, problems: problems.toSorted(byLevel), checks }
  })
}

const byLevel = (one: Problem, other: Problem): number => Number(one.level === 'warning') - Number(other.level === 'warning')

async function booksOf(pool: pg.Pool, clock: () => number): Promise<Books> {
  const { rows: ends } = await pool.query<{ first: number | null; last: number | null }>(
    `select min(seq) as first, max(seq) as last from (select seq from journal order by seq desc limit ${batchesChecked}) newest`,
  )
  const { first, last } = ends[0] ?? { first: null, last: null }
  const [{ rows }, chain] = await Promise.all([
    trialNow(pool),
    last === null ? undefined : checkChain(pool, { from: first!, to: last, max: batchesChecked }),
  ])
  const sums = new Map<string, bigint>()
  for (const { asset, total } of rows) sums.set(asset, (sums.get(asset) ?? 0n) + finest(total))
  const uneven = [...sums].filter(([, sum]) => sum !== 0n).map(([asset, sum]) => ({ asset, sum: fromFinest(sum) }))
  const broken = chain?.broken ?? []
  return {
    at: clock(),
    assets: { even: sums.size - uneven.length, all: sums.size, uneven },
    batches: { right: (chain?.checked ?? 0) - broken.length, all: chain?.checked ?? 0, broken },
  }
}

/** No asset has more digits. */
const finestDigits = 18

function finest(text: string): bigint {
  const [whole = '', rest = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + rest.padEnd(finestDigits, '0'))
  return text.startsWith('-') ? -units : units
}

function fromFinest(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(finestDigits + 1, '0')
  const text = `${digits.slice(0, -finestDigits)}.${digits.slice(-finestDigits)}`.replace(/\.?0+$/, '')
  return units < 0n ? `-${text}` : text
}

/** Markets that somebody halted, and Futures markets and markets of Second that paused themselves. */
async function haltProblems({ pool, ask, listing }: Watched, now: number): Promise<readonly Problem[]> {
  const halted = listing.markets.filter(({ market }) => !market.terms.isTrading).map(({ market }) => market.symbol)
  const [since, marks, option] = await Promise.all([haltedSince(pool, halted), ifThere(ask.marks()), ifThere(ask.optionTerms())])
  const symbolOf = (id: Parameters<typeof listing.marketIfAny>[0]): string => listing.marketIfAny(id)?.market.symbol ?? String(id)
  const phases = (marks ?? []).map(({ market, phase }) => ({ symbol: symbolOf(market), phase }))
  const paused = option?.isOpen === true ? option.markets.filter(({ isPaused }) => isPaused) : []
  const plain = { limit: '', ageMs: null }
  return [
    ...halted.map((subject): Problem => {
      const at = since.get(subject)
      return { kind: 'halted', level: 'warning', subject, value: '', limit: '', ageMs: at === undefined ? null : Math.max(0, now - at) }
    }),
    ...phases
      .filter(({ symbol, phase }) => phase !== 'open' && !halted.includes(symbol))
      .map(({ symbol, phase }): Problem => ({ kind: 'phase', level: 'warning', subject: symbol, value: phase, ...plain })),
    ...paused.map(({ market }): Problem => ({ kind: 'paused', level: 'warning', subject: symbolOf(market), value: '', ...plain })),
  ]
}

/** Funds below their target, and open interest close to its limit. */
export function fundProblems({ funds, markets }: Pick<Exposure, 'funds' | 'markets'>): readonly Problem[] {
  const low = funds.filter(({ balance, target }) => target !== null && Number(balance) < Number(target))
  const near = markets.filter(({ openInterest, limit }) => Number(openInterest) >= Number(limit) * nearShare)
  return [
    ...low.map(({ fund, asset, balance, target }): Problem => {
      const isHouse = fund === 'option-house'
      const [kind, level] = isHouse ? (['house', 'error'] as const) : (['fund', 'warning'] as const)
      return { kind, level, subject: `${fund} ${asset}`, value: balance, limit: target!, ageMs: null }
    }),
    ...near.map(
      ({ symbol, openInterest, limit }): Problem => ({
        ...{ kind: 'interest', level: 'warning', subject: symbol, value: openInterest, limit, ageMs: null },
      }),
    ),
  ]
}

/** Pools of which so much is lent that nothing more is. */
async function lendingProblems({ ask, listing }: Pick<Watched, 'ask' | 'listing'>): Promise<readonly Problem[]> {
  const [pools, terms] = await Promise.all([ifThere(ask.pools()), ifThere(ask.marginTerms())])
  if (pools === null || terms === null) return []
  return pools.flatMap((view): readonly Problem[] => {
    const used = utilization(view)
    if (view.borrowed === 0 || used < terms.borrowStopPpm * perMillionth) return []
    const percent = (parts: number): string => String(Math.round(parts / 1_000) / 10)
    const subject = listing.asset(view.asset).symbol
    return [
      { kind: 'pool', level: 'warning', subject, value: percent(used / perMillionth), limit: percent(terms.borrowStopPpm), ageMs: null },
    ]
  })
}
