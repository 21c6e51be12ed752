import { Exchange } from '@candor/core/exchange/exchange.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type pg from 'pg'
import { standBack } from '../store/priority.ts'
import { readWatermark } from '../store/projector/watermark.ts'
import { type AuditedNetwork, compareChains, compareFlows } from './audit-chains.ts'
import { compareHeads } from './audit-heads.ts'
import { compareReceipts } from './audit-receipts.ts'
import { ShadowTables, shadowBytes } from './audit-shadow.ts'
import { compareBalances, readTables, type Tables } from './audit-tables.ts'
import { TradeSums } from './audit-trades.ts'
import { Damaged } from './fault.ts'
import { readJournal, readPlace } from './read.ts'
import { restoreSnapshot } from './recover.ts'
import { replayRow } from './replay.ts'
import { emptyHead, type Head } from './row.ts'
import { secret } from './secret.ts'
import { listSnapshots } from './snapshots.ts'
import { upgradePlace } from './upgrade.ts'

export type AuditOptions = {
  readonly pool: pg.Pool
  /** Start at the newest snapshot up to here instead of the first command. */
  readonly from?: number | undefined
  /** How long the projector keeps ticks of the index tape. Default: for ever. */
  readonly tapeKeptMs?: number | undefined
  /** The configured networks: what their processes noted is compared, too. */
  readonly networks?: readonly AuditedNetwork[] | undefined
  /** Where the replay stops to be compared with something else. */
  readonly visit?: Visit | undefined
  /** Called before the replay, with the bytes that the audit takes of the disk, and while it goes on, with those that come next. It may throw. */
  readonly mayTake?: ((bytes: number) => Promise<void>) | undefined
  readonly onProgress?: (seq: number) => void
}

/** `look`: sentences about what differs from the core after the command `seq`, where a row of the journal ends. */
export type Visit = { readonly seq: number; readonly look: (exchange: Exchange) => readonly string[] }

/** The ledger's totals per asset at the head; customers + exchange + outside = 0. */
export type AssetTotals = { readonly customers: string; readonly exchange: string; readonly outside: string }

export type AuditReport = {
  readonly ok: boolean
  /** Replay began after this command: 0, or the snapshot's. */
  readonly from: number
  /** The last command decided by the previous build, which must be audited with that build's code; 0: none. */
  readonly upgradedAt: number
  /** The last replayed command, the hash of the core's state there, and the journal's. */
  readonly seq: number
  readonly hash: string
  readonly journalHash: string
  /** Position of the query tables when they were compared. */
  readonly projected: number
  readonly totals: Readonly<Record<string, AssetTotals>>
  /** Sentences for people. Empty when there is no problem. */
  readonly problems: readonly string[]
}

/**
 * Executes the journal again on its own core: every row must follow from the one before and cause the events that were
 * released; every asset must sum to zero; at the watermark every balance, ledger sum and trade sum in the query tables must
 * equal the core's, and every row must equal what the replay writes; so must the sums of each network, and the signed heads must be of
 * this journal. Changes nothing and may run beside the exchange. Throws
 * only when the database does.
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  const { pool, tapeKeptMs, mayTake } = options
  const problems: string[] = []
  const client = await pool.connect()
  try {
    await standBack(client, true)
    const projected = (await readWatermark(client)).seq
    const { exchange, place } = await beginning(pool, Math.min(options.from ?? 0, projected), problems)
    await mayTake?.(await shadowBytes(pool, place.seq === 0 ? 1 : (projected - place.seq) / projected))
    const replay = new Replay(options, exchange, place, await ShadowTables.open(client, { exchange, place, tapeKeptMs, mayTake }))
    if (options.from === undefined) problems.push(...(await compareOlder(pool, place)))
    const tablesSeq = await replay.compareAll(client, projected, problems)
    const totals = totalsOf(exchange, problems)
    problems.push(...(await compareHeads(client)), ...(await compareReceipts(client)))
    const { seq, hash } = replay.head
    const journalHash = Buffer.from(hash).toString('hex')
    const upgradedAt = (await upgradePlace(client)) ?? 0
    return {
      ok: problems.length === 0,
      from: place.seq,
      upgradedAt,
      seq,
      hash: exchange.hash(),
      journalHash,
      projected: tablesSeq,
      totals,
      problems,
    }
  } finally {
    // The temporary tables disappear with the connection.
    client.release(true)
  }
}

/** Executes the journal again from a given position, and collects the sums that are compared with the tables. */
class Replay {
  readonly #options: AuditOptions
  readonly #exchange: Exchange
  readonly #from: Head
  readonly #shadow: ShadowTables
  readonly #trades = new TradeSums()
  readonly #events = new Records()
  head: Head

  constructor(options: AuditOptions, exchange: Exchange, from: Head, shadow: ShadowTables) {
    this.#options = options
    this.#exchange = exchange
    this.#from = from
    this.#shadow = shadow
    this.head = from
  }

  /**
   * Replays to the watermark, compares there, and continues to the end of the journal. Most of it is replayed before the tables
   * are read, so that the exchange can clean up in between. Returns the watermark.
   */
  async compareAll(client: pg.PoolClient, projected: number, problems: string[]): Promise<number> {
    let seq = projected
    try {
      problems.push(...(await this.#visit()))
      await this.#goTo(projected)
      await client.query('begin isolation level repeatable read read only')
      const tables = await readTables(client, this.#from.seq)
      seq = tables.seq
      problems.push(...tables.problems)
      await this.#goTo(seq)
      if (this.head.seq === seq) problems.push(...(await this.#compare(client, tables)))
      else if (this.head.seq > seq) problems.push(`The tables went back to ${seq} while they were being compared`)
      await client.query('commit')
      await this.#goTo(Infinity)
      if (this.head.seq < seq) problems.push(`The tables stand at ${seq}, but the journal ends at ${this.head.seq}`)
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause
      problems.push(cause.message)
    }
    return seq
  }

  /** A replay that begins later has nothing to compare. */
  async #visit(): Promise<readonly string[]> {
    const { visit } = this.#options
    if (visit === undefined || visit.seq < this.#from.seq) return []
    await this.#goTo(visit.seq)
    return this.head.seq === visit.seq ? visit.look(this.#exchange) : [`No row of the journal ends at ${visit.seq}`]
  }

  async #compare(client: pg.PoolClient, tables: Tables): Promise<readonly string[]> {
    const { assets, markets } = this.#exchange.listing()
    const trades = this.#trades.differences(tables.trades, assets, markets)
    return [
      ...compareBalances(tables, this.#exchange.accounts(), assets, markets),
      ...trades.map((name) => `The table has other trades than the journal: ${name}`),
      ...(await compareFlows(client, this.#exchange.chain.flows(), assets)),
      ...(this.#options.networks === undefined ? [] : await compareChains(client, this.#options.networks, assets)),
      ...(await this.#shadow.differences()),
    ]
  }

  /** Replays every row up to a place; while the tables are still to be compared, collects what that needs. */
  async #goTo(seq: number): Promise<void> {
    if (this.head.seq >= seq) return
    for await (const row of readJournal(this.#options.pool, this.head)) {
      const commands = replayRow(this.#exchange, row, this.#events)
      if (seq < Infinity) {
        this.#trades.add(this.#events)
        await this.#shadow.add(this.#events, commands)
      }
      this.head = { seq: row.seq, hash: row.hash }
      this.#options.onProgress?.(row.seq)
      if (row.seq >= seq) return
    }
  }
}

/**
 * The first command, unless the journal has been pruned or decided by another build up to a snapshot, or the caller wants to
 * start later.
 */
async function beginning(pool: pg.Pool, from: number, problems: string[]): Promise<{ readonly exchange: Exchange; readonly place: Head }> {
  const { rows } = await pool.query<{ before: number }>('select seq - n as before from journal order by seq limit 1')
  const upgraded = await upgradePlace(pool)
  const pruned = Math.max(rows[0]?.before ?? 0, upgraded ?? 0)
  for (const seq of await listSnapshots(pool)) {
    if (seq > Math.max(from, pruned) || seq < pruned) continue
    try {
      const restored = await restoreSnapshot(pool, seq)
      if (seq > pruned && !Buffer.from((await readPlace(pool, seq)).hash).equals(restored.place.hash)) {
        throw new Damaged(seq, 'the snapshot was not made from this journal')
      }
      return restored
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause
      problems.push(cause.message)
    }
  }
  if (pruned > 0) problems.push(`The journal begins after ${pruned}, and there is no usable snapshot of that place`)
  return { exchange: Exchange.create(secret), place: emptyHead }
}

/**
 * Rows that no replay of this build executes, because an earlier build decided them: each must follow from the one before and match its
 * hash, and the last one must lead to the state where the replay begins. Returns the first contradiction as a sentence; none when all agree.
 *
 * place  where the replay begins
 */
async function compareOlder(pool: pg.Pool, place: Head): Promise<readonly string[]> {
  const { rows } = await pool.query<{ before: number; hash: Buffer }>(
    'select seq - n as before, prev_hash as hash from journal order by seq limit 1',
  )
  const [first] = rows
  if (first === undefined || first.before >= place.seq) return []
  try {
    for await (const row of readJournal(pool, first.before === 0 ? emptyHead : { seq: first.before, hash: first.hash })) {
      if (row.seq < place.seq) continue
      const isSame = row.seq === place.seq && Buffer.compare(row.hash, place.hash) === 0
      return isSame ? [] : [`The state at ${place.seq}, where the replay begins, is not of this journal`]
    }
  } catch (cause) {
    if (!(cause instanceof Damaged)) throw cause
    return [cause.message]
  }
  return [`The journal ends before ${place.seq}, where the replay begins`]
}

/** The ledger's totals now. An asset that does not sum to zero, and what `trialBalance` finds, are problems. */
export function totalsOf(exchange: Exchange, problems: string[]): Readonly<Record<string, AssetTotals>> {
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
