import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { ChainFlow } from '@candor/core/protocol/port.ts'
import type pg from 'pg'

/** A network as configured: its number in the core, and the digits of its coins there. */
export type AuditedNetwork = {
  readonly name: string
  readonly number: number
  readonly tokens: readonly { readonly asset: string; readonly decimals: number }[]
}

const shownMax = 10
/** What is newer may be in the tables of chains and not yet in those of the core: clocks of processes differ a little. */
const youngMs = 60_000

type Sums = { readonly network: number; readonly asset: string; readonly flow: string; readonly unfinal: string }

/** What the tables say came in on each network, less what was dropped and what was paid out. */
const sums = `
  select network, asset, sum(flow)::text as flow, sum(unfinal)::text as unfinal from (
    select network, asset, case when state = 'orphaned' then 0 else amount end as flow, case when state = 'unfinal' then amount else 0 end as unfinal
      from public.core_credits
    union all
    select network, asset, fee - amount, 0 from public.core_withdrawals where state = 'paid'
  ) movements group by network, asset`

/** One sentence for each network and asset of which the core has another sum than the tables. */
export async function compareFlows(
  client: pg.ClientBase,
  flows: readonly ChainFlow[],
  assets: readonly Asset[],
): Promise<readonly string[]> {
  const { rows } = await client.query<Sums>(sums)
  const told = new Map(rows.map((row) => [`${row.network} ${row.asset}`, row]))
  const problems: string[] = []
  for (const { network, asset, flow, unfinal } of flows) {
    const { symbol, scale } = assets.find(({ id }) => id === asset)!
    const key = `${network} ${symbol}`
    const row = told.get(key)
    told.delete(key)
    for (const [what, own, said] of [
      ['in all', flow, row?.flow ?? '0'],
      ['not final', unfinal, row?.unfinal ?? '0'],
    ] as const) {
      if (parseUnits(said.replace('-', ''), scale) === Math.abs(own) && own < 0 === (said.startsWith('-') && Number(said) !== 0)) continue
      problems.push(`The tables say ${said} ${symbol} ${what} on network ${network}, the core ${formatUnits(own, scale)}`)
    }
  }
  for (const { network, asset, flow } of told.values())
    if (Number(flow) !== 0) problems.push(`The tables say ${flow} ${asset} in all on network ${network}, the core nothing`)
  return problems
}

/** `coin`: the configured coins. `$6`: until when what the chains' process noted must be in the tables of the core. */
const coins = `
  coin as (
    select * from unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::int[]) as coin (name, network, asset, scale, decimals)
  )`

/** Rules between what the process of chains noted and what the core booked. */
const checks = [
  {
    say: 'No posting of a deposit gives the credit',
    wrong: `
      select c.network || ' ' || c.credit as place from public.core_credits c left join coin on coin.network = c.network and coin.asset = c.asset
      left join public.deposit_postings p on p.credit = c.credit and p.kind = 'credit'
      where p.credit is null or coin.name is null or (p.network, p.asset, p.user_no) is distinct from (coin.name, c.asset, c.user_id)
        or p.amount <> c.amount * power(10::numeric, coin.scale) order by c.network, c.credit`,
  },
  {
    say: 'The core did not book the posting',
    wrong: `
      select p.kind || ' ' || p.credit as place from public.deposit_postings p
      left join public.core_credits c on c.credit = p.credit and c.network = (select max(network) from coin where name = p.network)
      where p.done_at < $6 and p.refusal is null and (c.credit is null
        or (p.kind = 'final' and c.state <> 'final') or (p.kind = 'orphan' and c.state <> 'orphaned')) order by p.id`,
  },
  {
    say: 'No payment is behind the end of withdrawal',
    wrong: `
      select w.id::text as place from public.core_withdrawals w left join coin on coin.network = w.network and coin.asset = w.asset
      left join public.payouts p on p.withdrawal = w.id
      where w.state = 'paid' and (p.fate is distinct from 'paid' or (p.network, p.user_no) is distinct from (coin.name, w.user_id)
        or p.value is distinct from (w.amount - w.fee) * power(10::numeric, coin.decimals)) order by w.id`,
  },
  {
    say: 'The core did not book the payment of withdrawal',
    wrong: `
      select p.withdrawal::text as place from public.payouts p left join public.core_withdrawals w on w.id = p.withdrawal
      where p.state = 'done' and p.done_at < $6 and w.state is distinct from case p.fate when 'paid' then 'paid' else 'failed' end order by p.withdrawal`,
  },
] as const

/** One sentence for each credit without its posting, each payment without its payout, and the other way round; at most ten of each. */
export async function compareChains(
  client: pg.ClientBase,
  networks: readonly AuditedNetwork[],
  assets: readonly Asset[],
): Promise<readonly string[]> {
  const { rows: places } = await client.query<{ at: number }>('select at_ms as at from public.projection')
  const listed = networks.flatMap(({ name, number, tokens }) =>
    tokens.flatMap(({ asset, decimals }) => {
      const scale = assets.find(({ symbol }) => symbol === asset)?.scale
      return scale === undefined ? [] : [{ name, number, asset, scale, decimals }]
    }),
  )
  const given = [
    ...[listed.map(({ name }) => name), listed.map(({ number }) => number), listed.map(({ asset }) => asset)],
    ...[listed.map(({ scale }) => scale), listed.map(({ decimals }) => decimals), (places[0]?.at ?? 0) - youngMs],
  ]
  const problems: string[] = []
  for (const { say, wrong } of checks) {
    // Each statement has all values, whether it reads them or not.
    const { rows } = await client.query<{ place: string }>(
      `with ${coins}, known as (select $6::bigint) select place from (${wrong}) found limit ${shownMax}`,
      given,
    )
    problems.push(...rows.map(({ place }) => `${say} ${place}`))
  }
  return problems
}
