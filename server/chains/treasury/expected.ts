/** What each address should have at a block, by the transfers that are known. */
import type pg from 'pg'
import { native, type Own } from './own.ts'

/** In the token's smallest unit. `low`: without what nodes may only have claimed, and after all fees that may have been paid. */
export type Range = { readonly low: bigint; readonly high: bigint }
export type Expected = { readonly holder: string; readonly contract: string } & Range

type Sums = { readonly low: string; readonly high: string }

/** The newest checkpoint up to a block; `new` when the address has none at all, undefined when it has later ones only. */
export async function checkpointOf(client: pg.ClientBase, own: Own, holder: string, contract: string, block: number) {
  const { rows } = await client.query<{ block: number; balance: string }>(
    `select block, balance::text from treasury_checkpoints where network = $1 and holder = $2 and contract = $3 and block <= $4
     order by block desc limit 1`,
    [own.network, holder, contract, block],
  )
  if (rows[0] !== undefined) return { block: rows[0].block, balance: BigInt(rows[0].balance) }
  const { rowCount } = await client.query('select from treasury_checkpoints where network = $1 and holder = $2 and contract = $3 limit 1', [
    ...[own.network, holder, contract],
  ])
  return rowCount === 0 ? 'new' : undefined
}

/** Of an own address, from its checkpoint on. */
export async function expectedOf(
  client: pg.ClientBase,
  own: Own,
  { holder, contract }: { readonly holder: string; readonly contract: string },
  since: { readonly block: number; readonly balance: bigint },
  block: number,
): Promise<Range> {
  const { rows } = await client.query<{ sum: string }>(
    `select coalesce(sum(case when recipient = $2 then value else 0 end) - sum(case when sender = $2 then value else 0 end), 0)::text as sum
     from treasury_flows where network = $1 and (sender = $2 or recipient = $2) and contract = $3 and block > $4 and block <= $5
       and txid not like '${unloggedTx}%'`,
    [own.network, holder, contract, since.block, block],
  )
  const sum = since.balance + BigInt(rows[0]?.sum ?? 0)
  if (contract !== native) return { low: sum, high: sum }
  const { low, high } = await feesOf(client, own, holder, since.block, block)
  return { low: sum - high, high: sum - low }
}

/** Begins what stands for a transaction where a forwarder was emptied without the factory: its coins came to the sink before. */
export const unloggedTx = 'unlogged '

/**
 * What an own address paid for transactions: the hot wallet and the gas address what is settled, and perhaps what is under way; the sink,
 * whose transactions are not made here, at most the cap for each.
 */
async function feesOf(client: pg.ClientBase, own: Own, holder: string, after: number, block: number): Promise<Range> {
  const { hot, gas } = own.address
  const isSink = holder !== hot && holder !== gas
  const { rows } = isSink
    ? await client.query<Sums>(
        `select 0::text as low, (count(distinct txid) * $5::numeric)::text as high from treasury_flows
         where network = $1 and sender = $2 and block > $3 and block <= $4`,
        [own.network, holder, after, block, String(own.feeMax)],
      )
    : await client.query<Sums>(holder === hot ? payoutFees : jobFees, [own.network, after, block])
  return { low: BigInt(rows[0]?.low ?? 0), high: BigInt(rows[0]?.high ?? 0) }
}

/** Bandwidth, and the account of a recipient that is new, which no limit of a transaction covers on TRON. */
const most = (slot: string): string => `
  case when ${slot} ->> 'kind' = 'evm' then (${slot} ->> 'gas')::numeric * (${slot} ->> 'maxFee')::numeric
    else (${slot} ->> 'feeLimit')::numeric + 2000000 end`

/** What it sent besides is a transfer of its own, unless the network does not list the native coin. */
const notRead = (txid: string): string => `not exists (select from treasury_flows f where f.network = $1 and f.txid = ${txid})`

const payoutFees = `
  with done as (
    select coalesce(sum(fee + case when contract is null and fate = 'paid' and ${notRead('payouts.txid')} then value else 0 end), 0) as sum
    from payouts where network = $1 and block > $2 and block <= $3
  ), open as (
    select coalesce(sum(t.most), 0) as sum
    from payouts p cross join lateral (select max(${most('a.slot')}) as most from payout_attempts a where a.withdrawal = p.withdrawal and a.raw is not null) t
    where p.network = $1 and p.state = 'signed'
  )
  select done.sum::text as low, (done.sum + open.sum)::text as high from done, open`

const jobFees = `
  with done as (
    select coalesce(sum(case when kind = 'fuel' or value is null then fee else 0 end
      + case when kind = 'fuel' and fate = 'done' and ${notRead('treasury_jobs.txid')} then value else 0 end), 0) as sum
    from treasury_jobs where network = $1 and block > $2 and block <= $3
  ), open as (
    select coalesce(sum(t.most + case when j.kind = 'fuel' and t.unread then j.value else 0 end), 0) as sum
    from treasury_jobs j cross join lateral (
      select max(${most('a.slot')}) as most, bool_and(${notRead('a.txid')}) as unread
      from treasury_attempts a where a.job = j.job and a.raw is not null) t
    where j.network = $1 and j.state = 'signed' and (j.kind = 'fuel' or j.value is null)
  )
  select done.sum::text as low, (done.sum + open.sum)::text as high from done, open`
