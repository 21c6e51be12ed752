/** What each transfer of an own address is for. */
import type pg from 'pg'
import type { Own } from './own.ts'

export type FlowRow = {
  readonly txid: string
  readonly ordinal: number
  readonly contract: string
  readonly sender: string
  readonly recipient: string
  readonly value: string
  readonly block: number
}

/**
 * Names what transfers up to a block were for. What left an own address is a payout when the engine signed for it, its recipient got it
 * (or all but a fee of the token), and all transactions of the withdrawal together sent no more; a sweep when it went from a deposit
 * address to an own one; a fee when the gas address sent fuel of a job to a deposit address. Anything else that left is unexplained, until
 * it is one of these or the configuration names it.
 *
 * settled  transactions that the operator has dealt with, by the configuration
 */
export async function classify(client: pg.ClientBase, own: Own, block: number, settled: readonly string[]): Promise<void> {
  const addresses = [...own.roles.keys()]
  await client.query(
    `with open as (
       select * from treasury_flows where network = $1 and block <= $2 and (what is null or what = 'unexplained')
     ), paid as (
       select f.txid, f.ordinal from open f join payout_attempts a on a.txid = f.txid
         join payout_warrants w on w.withdrawal = a.withdrawal and w.network = $1
       where f.sender = $4 and lower(coalesce(w.payment ->> 'contract', '')) = lower(f.contract)
         and (select sum(s.value) from treasury_flows s join payout_attempts b on b.txid = s.txid
           where b.withdrawal = a.withdrawal and s.network = $1 and s.sender = $4 and s.contract = f.contract) <= (w.payment ->> 'value')::numeric
         and (lower(f.recipient) = lower(w.payment ->> 'to') or exists (
           select from treasury_flows s where s.network = $1 and s.txid = f.txid and s.sender = $4 and s.contract = f.contract
             and lower(s.recipient) = lower(w.payment ->> 'to') and s.value > f.value))
     ), named as (
       select f.txid, f.ordinal, case
         when f.sender = any($3) and f.recipient = any($3) then 'internal'
         when f.sender = $4 and exists (select from paid where paid.txid = f.txid and paid.ordinal = f.ordinal) then 'payout'
         when f.recipient = any($3) and exists (select from deposit_addresses d where d.network = $1 and d.address = f.sender) then 'sweep'
         when f.recipient = any($3) then
           case when exists (select from treasury_movements m where m.network = $1 and m.txid = f.txid) then 'movement' else 'inflow' end
         when exists (select from treasury_attempts t where t.txid = f.txid) and not (f.sender = any($3)) then 'fee'
         when f.sender = $6 and f.contract = '' and exists (
           select from treasury_attempts t join treasury_jobs j using (job)
             join deposit_addresses d on d.network = $1 and d.address = f.recipient and d.place::int = any(j.places)
           where t.txid = f.txid and j.network = $1 and j.kind = 'fuel' and f.value <= j.value) then 'fee'
         when f.txid = any($5) then 'settled'
         else 'unexplained' end as what
       from open f
     )
     update treasury_flows f set what = n.what from named n
     where f.network = $1 and f.txid = n.txid and f.ordinal = n.ordinal and f.what is distinct from n.what`,
    [own.network, block, addresses, own.address.hot, [...settled], own.address.gas],
  )
}
