/** Which addresses are due for a sweep, and what a sweep took. */
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { native } from './own.ts'

export type Due = { readonly place: number; readonly address: string; readonly sum: bigint }

/** An address whose sweep moved nothing is tried again after this. */
const stuckMs = 24 * 3_600_000

/** Addresses with final deposits of at least `min` that no sweep took and none is taking, the largest first. */
export async function dueOf(
  client: pg.ClientBase,
  about: { readonly network: string; readonly contract: string; readonly min: bigint; readonly now: number; readonly limit: number },
): Promise<readonly Due[]> {
  const { network, contract, min, now, limit } = about
  const { rows } = await client.query<{ place: number; address: string; sum: string }>(
    `select a.place, d.address, sum(d.raw)::text as sum from deposits d join deposit_addresses a on a.network = d.network and a.address = d.address
     where d.network = $1 and d.contract = $2 and d.swept_block is null and d.asset is not null and d.state in ('final', 'small')
       and d.block_number <= (select final from chain_cursors where network = $1)
       and not exists (select from treasury_stuck s where s.network = $1 and s.place = a.place and s.contract = $2 and s.at > $4)
       and not exists (select from treasury_jobs j where j.network = $1 and j.kind = 'sweep' and j.contract = $2
         and j.state in ('planned', 'bound', 'signed') and a.place::int = any(j.places))
     group by a.place, d.address having sum(d.raw) >= $3 order by sum(d.raw) desc limit $5`,
    [network, contract, String(min), now - stuckMs, limit],
  )
  return rows.map(({ place, address, sum }) => ({ place, address, sum: BigInt(sum) }))
}

type Sweep = { readonly network: string; readonly contract: string; readonly places: readonly number[] }

/** Whether the scanner has read the block of a sweep. */
export async function hasRead(client: pg.ClientBase, network: string, block: number): Promise<boolean> {
  const { rowCount } = await client.query('select from chain_cursors where network = $1 and final >= $2', [network, block])
  return rowCount === 1
}

/** Deposits that are at their address, or of the native coin may be. */
const present = ['credited', 'final', 'small', 'held', 'refused']
const statesOf = (contract: string): readonly string[] => (contract === native ? [...present, 'confirming'] : present)

/** Native coin that customers sent to the addresses at these places up to the final block, and that no sweep took. */
export async function coinsLeft(client: pg.ClientBase, network: string, places: readonly number[]): Promise<bigint> {
  const { rows } = await client.query<{ sum: string }>(
    `with own as (select address from deposit_addresses where network = $1 and place = any($2))
     select ((select coalesce(sum(raw), 0) from deposits d where d.network = $1 and d.address in (select address from own) and d.contract = $3
         and d.swept_block is null and d.asset is not null and d.state = any($4) and d.block_number <= c.final)
       - (select coalesce(sum(value), 0) from treasury_flows f where f.network = $1 and f.sender in (select address from own)
         and f.contract = $3 and not f.is_done and f.block <= c.final))::text as sum
     from chain_cursors c where c.network = $1`,
    [network, [...places], native, statesOf(native)],
  )
  return BigInt(rows[0]?.sum ?? 0)
}

/**
 * Notes what a sweep took, by the token's own logs: deposits of addresses whose transfers out are as much as their deposits. Where they
 * differ, both are looked at further.
 *
 * returns  the places from which nothing went
 */
export async function noteSwept(client: pg.ClientBase, sweep: Sweep & { readonly value: string | null }, txid: string, block: number) {
  const { network, contract, places } = sweep
  const { rows } = await client.query<{ place: number; address: string; moved: string; gone: string }>(
    `select a.place, a.address,
       (select coalesce(sum(value), 0) from treasury_flows f where f.network = $1 and f.sender = a.address and f.contract = $2 and f.txid = $4)::text as moved,
       (select coalesce(sum(value), 0) from treasury_flows f where f.network = $1 and f.sender = a.address and f.contract = $2
          and not f.is_done and f.block <= $5)::text as gone
     from deposit_addresses a where a.network = $1 and a.place = any($3)`,
    [network, contract, [...places], txid, block],
  )
  const left: number[] = []
  for (const { place, address, moved, gone } of rows) {
    const until = await untilOf(client, sweep, { address, gone: BigInt(gone), block })
    // On Ethereum anybody may sweep: what a stranger moved is at the sink all the same.
    if (until === undefined && moved === '0') left.push(place)
    if (until === undefined) continue
    await client.query(
      `update deposits set swept_block = $4 where network = $1 and address = $2 and contract = $3 and swept_block is null
         and asset is not null and state = any($6) and block_number <= $5`,
      [network, address, contract, block, until, statesOf(contract)],
    )
    await client.query(
      'update treasury_flows set is_done = true where network = $1 and sender = $2 and contract = $3 and not is_done and block <= $4',
      [network, address, contract, block],
    )
  }
  return left
}

type Gone = { readonly address: string; readonly gone: bigint; readonly block: number }

/**
 * The block up to which the deposits of an address are as much as what left it. A sweep of the native coin of TRON leaves those that came
 * after it was planned; one of Ethereum may take more, because code on the chain sends coins that are no deposits.
 */
async function untilOf(
  client: pg.ClientBase,
  { network, contract, value }: Parameters<typeof noteSwept>[1],
  { address, gone, block }: Gone,
) {
  const { rows } = await client.query<{ block: number; sum: string }>(
    `select block_number as block, (sum(sum(raw)) over (order by block_number))::text as sum from deposits
     where network = $1 and address = $2 and contract = $3 and swept_block is null and asset is not null and state = any($4)
       and block_number <= $5 group by block_number order by block_number`,
    [network, address, contract, statesOf(contract), block],
  )
  const sent = BigInt(rows.at(-1)?.sum ?? 0)
  if (contract !== native || gone === sent) return gone === sent ? block : undefined
  if (value !== null) return rows.findLast(({ sum }) => BigInt(sum) === gone)?.block
  return gone > sent ? block : undefined
}

/** Somebody must look at these addresses. */
export async function noteStuck(client: pg.ClientBase, { network, contract, places }: Sweep, why: string, clock: Clock): Promise<void> {
  for (const place of places)
    await client.query(
      `insert into treasury_stuck (network, place, contract, why, at) values ($1, $2, $3, $4, $5)
       on conflict (network, place, contract) do update set why = excluded.why, at = excluded.at`,
      [network, place, contract, why, clock()],
    )
}
