import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { type Block, nativeContract, type TokenTransfer } from '../ports.ts'
import { ChainFault, type Found, type ScanSink } from '../scan/scanner.ts'
import { lockPostings, writePostings } from './postings.ts'
import type { DepositState } from './tables.ts'
import { type DepositToken, digitsOf } from './terms.ts'

/** Transfers of unknown tokens that are kept for one address: anybody can make more of them than anybody wants to read. */
export const wrongTokensMax = 20

export type FinderOptions = {
  readonly pool: pg.Pool
  readonly network: string
  /** The address that pays network fees, as readers write it. */
  readonly gas: string
  /** By contract. */
  readonly tokens: ReadonlyMap<string, DepositToken>
  readonly clock: Clock
}

/** Keeps the transfers to customers' addresses as deposits, and marks those whose block vanished. */
export class Finder implements ScanSink {
  readonly #options: FinderOptions

  constructor(options: FinderOptions) {
    this.#options = options
  }

  async ours(transfers: readonly TokenTransfer[]): Promise<readonly TokenTransfer[]> {
    const fromOthers = this.#withoutFuel(transfers)
    if (fromOthers.length === 0) return []
    const { pool, network } = this.#options
    const { rows } = await pool.query<{ address: string }>(
      'select address from deposit_addresses where network = $1 and address = any($2)',
      [network, [...new Set(fromOthers.map(({ to }) => to))]],
    )
    const known = new Set(rows.map(({ address }) => address))
    return fromOthers.filter(({ to }) => known.has(to))
  }

  /**
   * A transfer is known by its transaction and its place in it, which stay the same in another block. One that came back starts again,
   * with what its log says now. So does one
   * that a node called failed: the audit reads only transactions that succeeded.
   */
  async added(client: pg.PoolClient, found: readonly Found[]): Promise<number> {
    const { network, tokens, clock } = this.#options
    const wanted = await this.#withoutFlood(client, this.#withoutFuel(found))
    if (wanted.length === 0) return 0
    const known = wanted.map(({ contract }) => tokens.get(contract))
    const token = known.map((one) => one?.symbol ?? null)
    const digits = known.map((one) => (one === undefined ? null : digitsOf(one)))
    const { rowCount } = await client.query(
      `insert into deposits as known
         (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash, block_at, state, seen_at, decimals)
       select $1, f.txid, f.ordinal, f.asset, f.contract, f.sender, f.address, a.account, a.user_no, f.raw, f.block, f.hash, f.at,
         case when f.asset is null then 'wrong-token' else 'confirming' end, $2, f.decimals
       from unnest($3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::numeric[], $10::bigint[], $11::text[], $12::bigint[],
           $13::smallint[])
         with ordinality as f (txid, ordinal, asset, contract, sender, address, raw, block, hash, at, decimals, place)
       join deposit_addresses a on a.network = $1 and a.address = f.address
       order by f.place
       on conflict (network, txid, ordinal) do update set
         asset = excluded.asset, contract = excluded.contract, sender = excluded.sender, address = excluded.address,
         account = excluded.account, user_no = excluded.user_no, raw = excluded.raw, block_number = excluded.block_number,
         block_hash = excluded.block_hash, block_at = excluded.block_at, state = excluded.state, why = null,
         decimals = excluded.decimals
       where known.state in ('orphaned', 'failed')`,
      [
        ...[network, clock(), wanted.map(({ txid }) => txid), wanted.map(({ ordinal }) => ordinal), token],
        ...[wanted.map(({ contract }) => contract), wanted.map(({ from }) => from), wanted.map(({ to }) => to)],
        ...[wanted.map(({ value }) => String(value)), wanted.map(({ block }) => block), wanted.map(({ blockHash }) => blockHash)],
        ...[wanted.map(({ at }) => at), digits],
      ],
    )
    return rowCount ?? 0
  }

  async removed(client: pg.PoolClient, { number, hash }: Block): Promise<void> {
    const { network, clock } = this.#options
    await lockPostings(client)
    const { rows } = await client.query<{ id: number; state: DepositState }>(
      `select id, state from deposits where network = $1 and block_number = $2 and block_hash = $3 and state <> 'orphaned' order by id for update`,
      [network, number, hash],
    )
    if (rows.some(({ state }) => state === 'final')) throw new ChainFault(`Block ${number} of ${network} had final deposits and vanished`)
    const credited = rows.filter(({ state }) => state === 'credited').map(({ id }) => id)
    await writePostings(client, 'orphan', credited, { isFinal: false, at: clock() })
    await client.query(
      `update deposits set state = 'orphaned', why = case when id = any($2) then 'credited' end, credit = null, amount = null, rest = 0,
         credited_at = null
       where id = any($1)`,
      [rows.map(({ id }) => id), credited],
    )
  }

  /** What the exchange's own gas address sends pays for sweeps, and is no customer's. */
  #withoutFuel<Each extends TokenTransfer>(transfers: readonly Each[]): readonly Each[] {
    return transfers.filter(({ contract, from }) => contract !== nativeContract || from !== this.#options.gas)
  }

  /** Transfers of listed tokens, and as many of others as an address may still have. */
  async #withoutFlood(client: pg.PoolClient, found: readonly Found[]): Promise<readonly Found[]> {
    const { network, tokens } = this.#options
    const wrong = found.filter(({ contract }) => !tokens.has(contract))
    if (wrong.length === 0) return found
    const { rows } = await client.query<{ address: string; count: number }>(
      `select address, count(*) as count from deposits where network = $1 and address = any($2) and state = 'wrong-token' group by address`,
      [network, [...new Set(wrong.map(({ to }) => to))]],
    )
    const counts = new Map(rows.map(({ address, count }) => [address, count]))
    return found.filter(({ contract, to }) => {
      if (tokens.has(contract)) return true
      const count = (counts.get(to) ?? 0) + 1
      counts.set(to, count)
      return count <= wrongTokensMax
    })
  }
}
