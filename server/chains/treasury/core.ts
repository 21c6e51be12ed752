/** Compares the core's own sum of what came and went on each network with what the tables told it. */
import type { AssetId, NetworkNumber } from '@candor/core/protocol/ids.ts'
import type { Ask, ChainFlow } from '@candor/core/protocol/port.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import type { NetworkConfig } from '../config.ts'
import type { Finding } from './findings.ts'
import { canonical, native } from './own.ts'

export type CoreOptions = {
  readonly pool: pg.Pool
  readonly networks: readonly NetworkConfig[]
  readonly assets: readonly Asset[]
  readonly ask: Pick<Ask, 'chainFlows'>
  readonly clock: Clock
}

type Posted = { readonly network: string; readonly asset: string; readonly more: string }

type Told = { readonly network: string; readonly asset: string; readonly low: string; readonly high: string }

/** Differences that remain when they are looked at again: commands are under way at every moment. */
const tries = 3

/** A core that has not booked a payment by then refuses it: somebody may have ended the withdrawal, and let its amount be used again. */
const bookedMs = 600_000

/** Whom a finding names when it is about the core, or about what it is told. */
export const coreHolder = 'core'
export const postingsHolder = 'postings'

/** In the units of tokens, as all findings. throws  Error when the core does not answer */
export async function compareCore(options: CoreOptions): Promise<readonly Finding[]> {
  for (let left = tries; ; left--) {
    const found = await differences(options)
    if (left === 1 || found.every(({ kind }) => kind === 'in-flight')) return found
  }
}

async function differences({ pool, networks, assets, ask, clock }: CoreOptions): Promise<readonly Finding[]> {
  const at = clock()
  const flows = await ask.chainFlows()
  const names = networks.map(({ name }) => name)
  const { rows } = await pool.query<Told>(told, [at, names, at - bookedMs])
  const { rows: posted } = await pool.query<Posted>(unfounded, [names])
  return networks.flatMap((network) =>
    network.tokens.flatMap((token): readonly Finding[] => {
      const asset = assets.find(({ symbol }) => symbol === token.asset)
      if (asset === undefined) return []
      const unit = 10n ** BigInt(token.decimals - asset.scale)
      const flow = flowOf(flows, network.number as NetworkNumber, asset.id) * unit
      const contract = token.contract === undefined ? native : canonical(network.kind, token.contract)
      const sums = rangeOf(rows, network, token.asset, contract, unit)
      const about = { network: network.name, holder: coreHolder, contract, txid: '' }
      const more = BigInt(posted.find((row) => row.network === network.name && row.asset === token.asset)?.more ?? 0) * unit
      if (more !== 0n) return [{ ...about, holder: postingsHolder, kind: 'unexplained', amount: more }]
      if (flow < sums.low) return [{ ...about, kind: 'unexplained', amount: flow - sums.low }]
      if (flow > sums.high) return [{ ...about, kind: 'unexplained', amount: flow - sums.high }]
      return sums.low === sums.high ? [] : [{ ...about, kind: 'in-flight', amount: sums.high - sums.low }]
    }),
  )
}

function flowOf(flows: readonly ChainFlow[], network: NetworkNumber, asset: AssetId): bigint {
  return BigInt(flows.find((each) => each.network === network && each.asset === asset)?.flow ?? 0)
}

/** Credits are in units of the core, under the asset's name; payments in those of the token, under its contract. */
function rangeOf(rows: readonly Told[], { name, kind }: NetworkConfig, asset: string, contract: string, unit: bigint) {
  const mine = rows.filter(({ network }) => network === name)
  const credits = mine.filter((row) => row.asset === `credit ${asset}`)
  const paid = mine.filter(({ asset: key }) => key.startsWith('paid ') && same(kind, key.slice('paid '.length)) === contract)
  const sum = (all: readonly Told[], side: 'low' | 'high'): bigint => all.reduce((total, row) => total + BigInt(row[side]), 0n)
  return { low: sum(credits, 'low') * unit + sum(paid, 'low'), high: sum(credits, 'high') * unit + sum(paid, 'high') }
}

const same = (kind: NetworkConfig['kind'], contract: string): string => (contract === '' ? native : canonical(kind, contract))

/** What the core was told before the question, and what it may have been told since. */
const told = `
  with credits as (
    select network, asset,
      sum(case when kind = 'credit' then amount else 0 end) filter (where is_sure) as sure,
      sum(case when kind = 'orphan' then amount else 0 end) filter (where is_sure) as taken,
      sum(case when kind = 'credit' then amount else 0 end) filter (where not is_sure) as more,
      sum(case when kind = 'orphan' then amount else 0 end) filter (where not is_sure) as less
    from (select *, done_at is not null and done_at < $1 as is_sure from deposit_postings
      where network = any($2) and refusal is null and kind in ('credit', 'orphan')) p
    group by network, asset
  ), paid as (
    select network, coalesce(contract, '') as contract,
      sum(value) filter (where (state = 'done' and done_at < $1) or (state = 'settled' and settled_at < $3)) as sure,
      sum(value) filter (where (state = 'settled' and settled_at >= $3) or done_at >= $1) as more
    from payouts where network = any($2) and fate = 'paid' group by network, contract
  )
  select network, 'credit ' || asset as asset,
    (coalesce(sure, 0) - coalesce(taken, 0) - coalesce(less, 0))::text as low,
    (coalesce(sure, 0) - coalesce(taken, 0) + coalesce(more, 0))::text as high from credits
  union all
  select network, 'paid ' || contract, (-coalesce(sure, 0) - coalesce(more, 0))::text, (-coalesce(sure, 0))::text from paid`

/** What the core is told in all beyond what deposits say. Both are written in one transaction, so that they are always the same. */
const unfounded = `
  with told as (
    select network, asset, sum(case when kind = 'credit' then amount else -amount end) as sum from deposit_postings p
    where network = any($1) and kind in ('credit', 'orphan') and refusal is null
      and not exists (select from deposit_postings r where r.credit = p.credit and r.kind = 'credit' and r.refusal is not null)
    group by network, asset
  ), due as (
    select network, asset, sum(amount) as sum from deposits where network = any($1) and credit is not null group by network, asset
  )
  select network, asset, (coalesce(told.sum, 0) - coalesce(due.sum, 0))::text as more from told full join due using (network, asset)
  where coalesce(told.sum, 0) <> coalesce(due.sum, 0)`
