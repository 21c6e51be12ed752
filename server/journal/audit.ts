import { Exchange } from '@candor/core/exchange/exchange.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type pg from 'pg'
import { compareBalances, readTables } from './audit-tables.ts'
import { TradeSums } from './audit-trades.ts'
import { Damaged } from './fault.ts'
import { readJournal, readPlace } from './read.ts'
import { replayRow } from './replay.ts'
import { emptyHead, type Head } from './row.ts'
import { listSnapshots, loadSnapshot } from './snapshots.ts'

export type AuditOptions = {
  readonly pool: pg.Pool
  /** Begin at the newest snapshot up to here instead of at the first command. */
  readonly from?: number | undefined
  readonly onProgress?: (seq: number) => void
}

/** Per asset what the ledger says at the head; customers + exchange + outside = 0. */
export type AssetTotals = { readonly customers: string; readonly exchange: string; readonly outside: string }

export type AuditReport = {
  readonly ok: boolean
  /** Replay began after this command: 0, or the snapshot's. */
  readonly from: number
  /** The last command that was replayed, the hash of the core's state there, and the journal's there. */
  readonly seq: number
  readonly hash: string
  readonly journalHash: string
  /** How far the query tables were, and were compared. */
  readonly projected: number
  readonly totals: Readonly<Record<string, AssetTotals>>
  /** In sentences, for people. Empty when all is well. */
  readonly problems: readonly string[]
}

/**
 * Executes the journal again on a core of its own: every row must follow from the one before it and cause the events
 * that were released, every asset must sum to zero, and at the watermark every balance, ledger sum and trade sum in the
 * query tables must be the core's. Changes nothing and may run beside the exchange. Throws only when the database does.
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  const { pool } = options
  const problems: string[] = []
  const watermark = await pool.query<{ seq: number }>('select seq from projection')
  const { exchange, place } = await beginning(pool, Math.min(options.from ?? 0, watermark.rows[0]?.seq ?? 0), problems)
  const tables = await readTables(pool, place.seq)
  problems.push(...tables.problems)
  const trades = new TradeSums()
  const events = new Records()
  let head = place
  const compare = (): void => {
    if (head.seq !== tables.seq) return
    const { assets, markets } = exchange.listing()
    problems.push(...compareBalances(tables, exchange.accounts(), assets, markets))
    for (const name of trades.differences(tables.trades, assets, markets))
      problems.push(`The table has other trades than the journal: ${name}`)
  }
  try {
    compare()
    for await (const row of readJournal(pool, place)) {
      replayRow(exchange, row, events)
      trades.add(events)
      head = { seq: row.seq, hash: row.hash }
      compare()
      options.onProgress?.(row.seq)
    }
    if (head.seq < tables.seq) problems.push(`The tables stand at ${tables.seq}, but the journal ends at ${head.seq}`)
  } catch (cause) {
    if (!(cause instanceof Damaged)) throw cause
    problems.push(cause.message)
  }
  const totals = totalsOf(exchange, problems)
  const journalHash = Buffer.from(head.hash).toString('hex')
  return {
    ok: problems.length === 0,
    from: place.seq,
    seq: head.seq,
    hash: exchange.hash(),
    journalHash,
    projected: tables.seq,
    totals,
    problems,
  }
}

/** The first command, unless the journal has been pruned up to a snapshot or a later beginning is asked for. */
async function beginning(pool: pg.Pool, from: number, problems: string[]): Promise<{ readonly exchange: Exchange; readonly place: Head }> {
  const { rows } = await pool.query<{ before: number }>('select seq - n as before from journal order by seq limit 1')
  const pruned = rows[0]?.before ?? 0
  for (const seq of await listSnapshots(pool)) {
    if (seq > Math.max(from, pruned) || seq < pruned) continue
    try {
      const { dump, hash } = await loadSnapshot(pool, seq)
      if (seq > pruned && !Buffer.from((await readPlace(pool, seq)).hash).equals(hash)) {
        throw new Damaged(seq, 'the snapshot was not made of this journal')
      }
      return { exchange: Exchange.restore(dump), place: { seq, hash } }
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause
      problems.push(cause.message)
    }
  }
  if (pruned > 0) problems.push(`The journal begins after ${pruned}, and there is no usable snapshot of that place`)
  return { exchange: Exchange.create(), place: emptyHead }
}

/** What the ledger says now. An asset that does not sum to zero, and what `trialBalance` finds, are problems. */
function totalsOf(exchange: Exchange, problems: string[]): Readonly<Record<string, AssetTotals>> {
  const { assets } = exchange.listing()
  const sums = new Map(assets.map(({ id }) => [id, { customers: 0, exchange: 0, outside: 0 }]))
  for (const { account, available, held } of exchange.accounts()) {
    const sum = sums.get(account.asset) as { customers: number; exchange: number; outside: number }
    if (!('system' in account)) sum.customers += available + held
    else if (account.system.startsWith('outside:')) sum.outside += available + held
    else sum.exchange += available + held
  }
  const totals: Record<string, AssetTotals> = {}
  for (const { id, symbol, scale } of assets) {
    const { customers, exchange: own, outside } = sums.get(id) as { customers: number; exchange: number; outside: number }
    if (customers + own + outside !== 0) problems.push(`${symbol} sums to ${formatUnits(customers + own + outside, scale)} instead of zero`)
    totals[symbol] = { customers: formatUnits(customers, scale), exchange: formatUnits(own, scale), outside: formatUnits(outside, scale) }
  }
  problems.push(...exchange.trialBalance().violations)
  return totals
}
