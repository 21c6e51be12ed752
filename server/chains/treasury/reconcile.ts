/**
 * Compares what the addresses of a network have with what they should have. Nothing that leaves an own address without an order stays
 * unseen: its log is a transfer that no payout explains, and a balance that no log explains is missing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { inTransaction } from '../../store/transaction.ts'
import { type ChainReader, nativeOrdinal } from '../ports.ts'
import { NodeFault } from '../rpc/json-rpc.ts'
import { classify, type FlowRow } from './classify.ts'
import { type DepositParts, depositSums, expectedDeposits } from './deposits.ts'
import { checkpointOf, expectedOf, type Range, unloggedTx } from './expected.ts'
import type { Finding } from './findings.ts'
import { native, nonces, type Own, type OwnRole } from './own.ts'
import { type Holding, type Sample, sampleOf } from './sample.ts'

export type ReconcileOptions = {
  readonly pool: pg.Pool
  readonly own: Own
  readonly reader: ChainReader
  /** Which deposit addresses are compared in this turn. */
  readonly parts: DepositParts
  /** Transactions that the operator has dealt with. */
  readonly settled: readonly string[]
  readonly clock: Clock
  /** How long the books may be behind the chain before the turn is given up. */
  readonly waitMs?: number
}

/** Checkpoints spare adding up from the beginning. */
const checkpointMs = 3_600_000
const usualWaitMs = 15_000
const pollMs = 200

/** Whom a finding names when sweeps and the deposits that they took differ. */
const sweptHolder = 'sweeps'

/** The network was not read far enough to be compared. */
export class Behind extends Error {}

/** throws  NodeFault when the node does not answer, Behind when the scanner is not as far as the node */
export async function reconcile(options: ReconcileOptions): Promise<readonly Finding[]> {
  const { pool, own, reader, parts } = options
  const final = await finalOf(options, 0)
  const wanted = await inTransaction(pool, (client) => parts.of(client, own, final), 'isolation level repeatable read read only')
  const deposits = wanted.filter(({ holder }) => !own.roles.has(holder))
  const samples = await sampleOf(reader, own.kind, final, [...ownHoldings(own), ...deposits])
  const last = Math.max(final, ...samples.map(({ to }) => to))
  await finalOf(options, last)
  return inTransaction(pool, (client) => new Comparison(options, client, last).findings(samples), 'isolation level repeatable read')
}

/** The final block of the scanner, once it has come to this one. */
async function finalOf({ pool, own, waitMs = usualWaitMs }: ReconcileOptions, block: number): Promise<number> {
  for (let left = waitMs; ; left -= pollMs) {
    const { rows } = await pool.query<{ final: number }>('select final from chain_cursors where network = $1', [own.network])
    const final = rows[0]?.final
    if (final !== undefined && final >= block) return final
    if (left <= 0) throw new Behind(`${own.network} is not read up to block ${block}`)
    await sleep(pollMs)
  }
}

/** Tokens at each own address, and the native coin where it pays for transactions. The sink stands last: what it lacks may be at another one. */
function ownHoldings({ address, tokens }: Own): readonly Holding[] {
  const contracts = tokens.map(({ contract }) => contract)
  const holders: readonly (readonly [string, readonly string[]])[] = [
    [address.hot, [...contracts, native]],
    [address.gas, [...contracts, native]],
    [address.sink, contracts],
  ]
  const known = new Set<string>()
  return holders
    .flatMap(([holder, each]) => each.map((contract) => ({ holder, contract })))
    .filter(({ holder, contract }) => known.size < known.add(`${holder} ${contract}`).size)
}

class Comparison {
  readonly #options: ReconcileOptions
  readonly #client: pg.PoolClient
  readonly #last: number
  readonly #now: number
  readonly #found: Finding[] = []

  constructor(options: ReconcileOptions, client: pg.PoolClient, last: number) {
    this.#options = options
    this.#client = client
    this.#last = last
    this.#now = options.clock()
  }

  async findings(samples: readonly Sample[]): Promise<readonly Finding[]> {
    const { own, settled } = this.#options
    await classify(this.#client, own, this.#last, settled)
    await this.#nameFlows()
    await this.#compareFailed()
    const read = samples.filter(({ holder }) => !own.roles.has(holder))
    const deposits = new Map((await expectedDeposits(this.#client, own, this.#last, read)).map((each) => [keyOf(each), each]))
    for (const sample of samples) {
      if (await this.#moved(sample)) continue
      if (own.roles.has(sample.holder)) await this.#compareOwn(sample)
      else await this.#compareDeposit(sample, deposits.get(keyOf(sample)) ?? { low: 0n, high: 0n })
    }
    await this.#compareNonces()
    await this.#compareSwept()
    await this.#storeBalances(samples, deposits)
    return this.#found
  }

  #find(kind: Finding['kind'], { holder, contract }: Holding, amount: bigint, txid = ''): void {
    this.#found.push({ network: this.#options.own.network, kind, holder, contract, txid, amount })
  }

  async #nameFlows(): Promise<void> {
    const { own } = this.#options
    await this.#client.query(
      `update treasury_flows f set is_done = true where network = $1 and what = 'inflow' and not is_done
         and exists (select from treasury_movements m where m.network = $1 and m.txid = f.txid)`,
      [own.network],
    )
    const { rows } = await this.#client.query<FlowRow & { what: string }>(
      `select txid, ordinal, contract, sender, recipient, value::text, block, what from treasury_flows
       where network = $1 and block <= $2 and (what = 'unexplained' or (what = 'inflow' and not is_done))
       order by what = 'inflow', block, txid, ordinal limit 200`,
      [own.network, this.#last],
    )
    for (const { what, txid, contract, sender, recipient, value, block } of rows) {
      if (what !== 'inflow') this.#find('unexplained', { holder: sender, contract }, -BigInt(value), txid)
      else {
        const holding = { holder: recipient, contract }
        this.#find('unknown-inflow', holding, BigInt(value), txid)
        // Anybody sends dust of it to anybody: it is named once.
        if (contract === native) await this.#movement({ ...holding, to: block }, 'inflow', BigInt(value), txid)
      }
    }
  }

  /** A payment that the core was told had failed, although it is on the chain: its customer has the amount twice. */
  async #compareFailed(): Promise<void> {
    const { own, settled } = this.#options
    const { rows } = await this.#client.query<FlowRow>(
      `select f.txid, f.contract, f.sender, f.value::text from payouts p
         join payout_attempts a using (withdrawal) join treasury_flows f on f.network = p.network and f.txid = a.txid
       where p.network = $1 and p.fate in ('reverted', 'refused') and f.what = 'payout' and f.block <= $2 and f.txid <> all($3)`,
      [own.network, this.#last, [...settled]],
    )
    for (const { txid, contract, sender, value } of rows) this.#find('unexplained', { holder: sender, contract }, -BigInt(value), txid)
  }

  /** Whether the address had a transfer between the blocks of which the balance may be: then it says nothing. */
  async #moved({ holder, contract, from, to }: Sample): Promise<boolean> {
    if (from === to) return false
    const { rowCount } = await this.#client.query(
      `select from treasury_flows where network = $1 and (sender = $2 or recipient = $2) and contract = $3 and block > $4 and block <= $5
       union all select from deposits where network = $1 and address = $2 and contract = $3 and block_number > $4 and block_number <= $5 limit 1`,
      [this.#options.own.network, holder, contract, from, to],
    )
    return rowCount !== 0
  }

  async #compareOwn(sample: Sample): Promise<void> {
    const { own } = this.#options
    const { holder, contract, balance, from, to } = sample
    const since = await checkpointOf(this.#client, own, holder, contract, from)
    if (since === undefined) return
    if (since === 'new') {
      await this.#checkpoint(sample)
      if (balance > 0n) await this.#movement(sample, 'opening', balance)
      return
    }
    const range = await this.#rangeOf(sample, since)
    if (balance < range.low) {
      if (contract === native && (await this.#isNamed(sample, since.block, range.low - balance))) return this.#checkpoint(sample)
      return this.#missing(sample, balance - range.low)
    }
    const more = balance - range.high
    if (more > 0n) {
      this.#find('unknown-inflow', sample, more)
      await this.#movement(sample, 'inflow', more)
      return this.#checkpoint(sample)
    }
    // What the sink paid for its transactions is known now.
    if (holder === own.address.sink && range.low !== range.high && from === to) return this.#checkpoint(sample)
    const { rows } = await this.#client.query<{ made_at: number }>(
      'select max(made_at) as made_at from treasury_checkpoints where network = $1 and holder = $2 and contract = $3',
      [own.network, holder, contract],
    )
    if (range.low === range.high && from === to && this.#now - (rows[0]?.made_at ?? 0) > checkpointMs) await this.#checkpoint(sample)
  }

  async #rangeOf({ holder, contract, from, to }: Sample, since: { block: number; balance: bigint }): Promise<Range> {
    const { own } = this.#options
    const at = (block: number): Promise<Range> => expectedOf(this.#client, own, { holder, contract }, since, block)
    if (from === to) return at(to)
    const [first, last] = [await at(from), await at(to)]
    return { low: last.low < first.low ? last.low : first.low, high: last.high > first.high ? last.high : first.high }
  }

  /** Counts the transactions that an own address sent: each has a nonce that was given out here. */
  async #compareNonces(): Promise<void> {
    const { own, reader } = this.#options
    for (const [holder, table] of [
      [own.address.hot, 'payouts'],
      [own.address.gas, 'treasury_jobs'],
    ] as const) {
      const sent = await reader.sent(holder, this.#last)
      if (sent === undefined) continue
      const holding = { holder, contract: nonces }
      const since = await checkpointOf(this.#client, own, holder, nonces, this.#last)
      if (since === undefined) continue
      if (since === 'new') await this.#checkpoint({ ...holding, balance: BigInt(sent), from: this.#last, to: this.#last })
      const { rows } = await this.#client.query<{ next: number }>(
        `select coalesce(max(nonce) + 1, 0) as next from ${table} where network = $1`,
        [own.network],
      )
      const first = since === 'new' ? sent : Number(since.balance)
      const known = Math.max(first, rows[0]?.next ?? 0)
      if (sent > known) this.#find('foreign-nonce', { holder, contract: native }, BigInt(known - sent))
    }
  }

  /** Deposits that are not looked for at their addresses any more have left these in sweeps, to the last unit. */
  async #compareSwept(): Promise<void> {
    const { own } = this.#options
    const { rows } = await this.#client.query<{ contract: string; more: string }>(
      `select key as contract, sum(case what when 'gone' then sum else -sum end)::text as more
       from chain_sums where network = $1 and what in ('gone', 'swept')
       group by key having sum(case what when 'gone' then sum else -sum end) <> 0`,
      [own.network],
    )
    for (const { contract, more } of rows) {
      // Forwarders also send on what code on the chain sent them.
      if (contract === native && own.kind === 'evm' && BigInt(more) > 0n) continue
      this.#find('unexplained', { holder: sweptHolder, contract }, BigInt(more))
    }
  }

  /**
   * Whether native coin that an own address lacks since a block is accounted for without a transfer: by a transaction that the operator
   * named, or, at a sink that is a contract, because the other own addresses got as much without a transfer.
   */
  async #isNamed({ holder, to }: Sample, after: number, missing: bigint): Promise<boolean> {
    const { own, reader, settled } = this.#options
    for (const txid of settled) {
      const receipt = await reader.receipt(txid)
      if (receipt !== undefined && receipt.block > after && receipt.block <= to) return true
    }
    if (holder !== own.address.sink) return false
    return missing <= (await this.#unlogged([own.address.hot, own.address.gas], after))
  }

  /** Native coin that came to own addresses after a block by no transfer. */
  async #unlogged(holders: readonly string[], after: number): Promise<bigint> {
    const { rows } = await this.#client.query<{ sum: string }>(
      `select coalesce(sum(amount), 0)::text as sum from treasury_movements
       where network = $1 and holder = any($2) and contract = $3 and kind = 'inflow' and txid is null and block > $4`,
      [this.#options.own.network, [...holders], native, after],
    )
    return BigInt(rows[0]!.sum)
  }

  async #compareDeposit(sample: Sample, { low, high }: Range): Promise<void> {
    const { kind } = this.#options.own
    const isCoin = sample.contract === native
    if (sample.balance < low) {
      if (isCoin && kind === 'evm' && (await this.#wentUnlogged(sample, low - sample.balance))) return
      return this.#missing(sample, sample.balance - low)
    }
    if (!isCoin && sample.balance > high) this.#find('missed-log', sample, sample.balance - high)
    // What code on the chain sent is no deposit. On TRON the rest may be fuel as well.
    const more = sample.balance - (high > 0n ? high : 0n)
    if (isCoin && kind === 'evm' && more > 0n) this.#find('unknown-inflow', sample, more)
  }

  /**
   * Anybody may empty a forwarder without the factory, and no log says so. It can pay nobody but the sink: what it lacks is there when as
   * much came to the sink by no transfer, and no other forwarder needs it.
   */
  async #wentUnlogged({ holder, to }: Sample, amount: bigint): Promise<boolean> {
    const { network, address } = this.#options.own
    const { rows } = await this.#client.query<{ sum: string }>(
      `select coalesce(sum(value), 0)::text as sum from treasury_flows where network = $1 and contract = $2 and txid like '${unloggedTx}%'`,
      [network, native],
    )
    if ((await this.#unlogged([address.sink], 0)) - BigInt(rows[0]!.sum) < amount) return false
    await this.#client.query(
      `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at, what)
       values ($1, $2, $3, $4, $5, $6, $7, $8, '', $9, 'sweep')`,
      [network, `${unloggedTx}${holder} ${to}`, nativeOrdinal, native, holder, address.sink, String(amount), to, this.#now],
    )
    return true
  }

  /** Less than there should be. Where the issuer froze the address, it may have taken it. */
  async #missing(sample: Sample, amount: bigint): Promise<void> {
    const { reader } = this.#options
    const isFrozen = sample.contract !== native && (await reader.isFrozen(sample.holder, sample.contract))
    this.#find(isFrozen ? 'frozen' : 'unexplained', sample, amount)
  }

  async #checkpoint({ holder, contract, balance, to }: Sample): Promise<void> {
    await this.#client.query(
      `insert into treasury_checkpoints (network, holder, contract, block, balance, made_at) values ($1, $2, $3, $4, $5, $6)
       on conflict do nothing`,
      [this.#options.own.network, holder, contract, to, String(balance), this.#now],
    )
  }

  async #movement({ holder, contract, to }: Holding & Pick<Sample, 'to'>, kind: 'opening' | 'inflow', amount: bigint, txid?: string) {
    await this.#client.query(
      `insert into treasury_movements (network, holder, contract, amount, kind, block, made_at, txid) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [this.#options.own.network, holder, contract, String(amount), kind, to, this.#now, txid ?? null],
    )
  }

  /** Deposit addresses that were not read in this turn count with what they should have. */
  async #storeBalances(samples: readonly Sample[], deposits: ReadonlyMap<string, Range>): Promise<void> {
    const { own } = this.#options
    const sums = new Map<string, { role: OwnRole | 'deposits'; contract: string; balance: bigint }>()
    const all = await depositSums(this.#client, own, this.#last)
    for (const { contract } of own.tokens)
      sums.set(`deposits ${contract}`, { role: 'deposits', contract, balance: all.get(contract) ?? 0n })
    for (const { holder, contract, balance } of samples) {
      const role = own.roles.get(holder) ?? 'deposits'
      const before = sums.get(`${role} ${contract}`)?.balance ?? 0n
      const counted = deposits.get(`${holder} ${contract}`)?.low ?? 0n
      sums.set(`${role} ${contract}`, { role, contract, balance: before + balance - counted })
    }
    for (const { role, contract, balance } of sums.values())
      await this.#client.query(
        `insert into treasury_balances (network, role, contract, balance, block, at) values ($1, $2, $3, $4, $5, $6)
         on conflict (network, role, contract) do update set balance = excluded.balance, block = excluded.block, at = excluded.at`,
        [own.network, role, contract, String(balance), this.#last, this.#now],
      )
  }
}

const keyOf = ({ holder, contract }: Holding): string => `${holder} ${contract}`

/** The findings of each node that answers, together. throws  NodeFault when none does */
export async function reconcileAll(
  options: Omit<ReconcileOptions, 'reader'>,
  readers: readonly ChainReader[],
): Promise<readonly Finding[]> {
  const found = new Map<string, Finding>()
  let fault: unknown
  let answers = 0
  for (const reader of readers) {
    try {
      for (const finding of await reconcile({ ...options, reader })) found.set(`${finding.kind} ${keyOf(finding)} ${finding.txid}`, finding)
      answers++
    } catch (cause) {
      if (!(cause instanceof NodeFault)) throw cause
      fault = cause
    }
  }
  if (answers === 0) throw fault
  options.parts.advance()
  return [...found.values()]
}
