import type pg from 'pg'
import type { Block, TokenTransfer } from '../ports.ts'
import type { Found, ScanSink } from '../scan/scanner.ts'
import type { Own } from './own.ts'

export type OwnFlowsOptions = { readonly pool: pg.Pool; readonly own: Own }

/** Keeps every transfer from and to own addresses, and from deposit addresses, so that each is accounted for. */
export class OwnFlows implements ScanSink {
  readonly #options: OwnFlowsOptions

  constructor(options: OwnFlowsOptions) {
    this.#options = options
  }

  async ours(transfers: readonly TokenTransfer[]): Promise<readonly TokenTransfer[]> {
    const { pool, own } = this.#options
    const isOwn = (address: string): boolean => own.roles.has(address)
    const listed = transfers.filter(({ contract }) => own.tokens.some((token) => token.contract === contract))
    const senders = [...new Set(listed.map(({ from }) => from))]
    if (senders.length === 0) return []
    const { rows } = await pool.query<{ address: string }>(
      'select address from deposit_addresses where network = $1 and address = any($2)',
      [own.network, senders],
    )
    const known = new Set(rows.map(({ address }) => address))
    return listed.filter(({ from, to }) => isOwn(from) || isOwn(to) || known.has(from))
  }

  async added(client: pg.PoolClient, found: readonly Found[]): Promise<number> {
    const wanted = new Set(await this.ours(found))
    const flows = found.filter((transfer) => wanted.has(transfer))
    if (flows.length === 0) return 0
    const { rowCount } = await client.query(
      `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at)
       select $1, f.* from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::bigint[], $9::text[], $10::bigint[]) f
       on conflict do nothing`,
      [
        ...[this.#options.own.network, flows.map(({ txid }) => txid), flows.map(({ ordinal }) => ordinal)],
        ...[flows.map(({ contract }) => contract), flows.map(({ from }) => from), flows.map(({ to }) => to)],
        ...[flows.map(({ value }) => String(value)), flows.map(({ block }) => block), flows.map(({ blockHash }) => blockHash)],
        flows.map(({ at }) => at),
      ],
    )
    return rowCount ?? 0
  }

  async removed(client: pg.PoolClient, { number, hash }: Block): Promise<void> {
    await client.query('delete from treasury_flows where network = $1 and block = $2 and block_hash = $3', [
      ...[this.#options.own.network, number, hash],
    ])
  }
}

/** Several sinks as one: each keeps what it knows for its own. */
export function joined(sinks: readonly ScanSink[]): ScanSink {
  return {
    ours: async (transfers) => {
      const found = new Set((await Promise.all(sinks.map((sink) => sink.ours(transfers)))).flat())
      return transfers.filter((transfer) => found.has(transfer))
    },
    added: async (client, found) => {
      let count = 0
      for (const sink of sinks) count += await sink.added(client, found)
      return count
    },
    removed: async (client, block) => {
      for (const sink of sinks) await sink.removed(client, block)
    },
  }
}
