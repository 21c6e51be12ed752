import type { Ask, ChainFlow } from '@candor/core/protocol/port.ts'
import {
  type Treasury,
  type TreasuryFinding,
  type TreasuryJob,
  treasuryRoles,
  type TreasuryRow,
} from '@candor/core/protocol/wire/console/treasury.ts'
import type pg from 'pg'
import type { NetworkConfig } from '../../chains/config.ts'
import { isNameable } from '../../chains/review/chain-desk.ts'
import { canonical, native } from '../../chains/treasury/own.ts'
import type { Clock } from '../../ports.ts'
import { ifThere } from '../watch/watched.ts'

export type TreasuryParts = {
  readonly pool: pg.Pool
  readonly ask: Pick<Ask, 'chainFlows' | 'listing'>
  readonly networks: readonly NetworkConfig[]
  readonly clock: Clock
}

/** The signer stops by itself when nobody told it for so long that books and chain match. */
const beatMaxMs = 10 * 60_000
/** Share of customers' coins that the hot wallet should not exceed, in percent. */
const floatMaxPercent = 3
const dayMs = 24 * 60 * 60_000
const closedMs = 7 * dayMs
const findingsMax = 200
const nativeOf = { evm: { asset: 'ETH', decimals: 18 }, tron: { asset: 'TRX', decimals: 6 } } as const

type Token = {
  readonly network: NetworkConfig
  readonly asset: string
  readonly contract: string
  readonly decimals: number
  readonly isForFees: boolean
}
type Balance = {
  readonly network: string
  readonly role: string
  readonly contract: string
  readonly balance: string
  readonly block: number
  readonly at: number
}
type Sum = { readonly network: string; readonly contract: string | null; readonly leaving: string; readonly outflow: string }

/** What the exchange has on chains beside what its customers have in the books. */
export async function treasuryOf({ pool, ask, networks, clock }: TreasuryParts): Promise<Treasury> {
  const now = clock()
  const tokens = tokensOf(networks)
  const [balances, sums, flows, listing, beat, findings, jobs, stuck] = await Promise.all([
    ...([balancesOf(pool), sumsOf(pool, now - dayMs), ifThere(ask.chainFlows()), ifThere(ask.listing())] as const),
    ...([beatOf(pool), findingsOf(pool, tokens, now), jobsOf(pool, tokens), stuckOf(pool)] as const),
  ])
  const scaleOf = new Map(listing?.assets.map(({ id, symbol, scale }) => [symbol, { id, scale }]))
  const rows = tokens.map((token): TreasuryRow => {
    const known = scaleOf.get(token.asset)
    const flow = known && flows?.find(({ network, asset }) => network === token.network.number && asset === known.id)
    const found = balances.filter(({ network, contract }) => network === token.network.name && contract === token.contract)
    const sum = sums.find(
      ({ network, contract }) => network === token.network.name && canonicalOf(token.network, contract) === token.contract,
    )
    return rowOf(token, { found, sum, flow, scale: known?.scale, hasEngine: flows !== null })
  })
  return { beat, beatMaxMs, floatMax: String(floatMaxPercent), rows, findings, jobs, stuck }
}

type Known = {
  readonly found: readonly Balance[]
  readonly sum: Sum | undefined
  readonly flow: ChainFlow | undefined
  readonly scale: number | undefined
  readonly hasEngine: boolean
}

function rowOf({ network, asset, decimals, isForFees }: Token, { found, sum, flow, scale, hasEngine }: Known): TreasuryRow {
  const of = (role: string): string | undefined => found.find((one) => one.role === role)?.balance
  const text = (units: bigint | string): string => decimalOf(BigInt(units), decimals)
  const total = found.reduce((all, { balance }) => all + BigInt(balance), 0n)
  const customers =
    scale === undefined || !hasEngine ? undefined : { flow: BigInt(flow?.flow ?? 0), unfinal: BigInt(flow?.unfinal ?? 0), scale }
  const held = customers === undefined ? 0n : customers.flow * 10n ** BigInt(decimals - customers.scale)
  const hot = of('hot')
  return {
    ...{ network: network.label, asset, isForFees },
    chain: Object.fromEntries(treasuryRoles.map((role) => [role, of(role) === undefined ? null : text(of(role)!)])) as TreasuryRow['chain'],
    total: text(total),
    customers: customers === undefined ? null : decimalOf(customers.flow, customers.scale),
    unfinal: customers === undefined ? null : decimalOf(customers.unfinal, customers.scale),
    ...{ leaving: text(sum?.leaving ?? '0'), outflow: text(sum?.outflow ?? '0') },
    share: hot === undefined || held <= 0n ? null : decimalOf((BigInt(hot) * 1_000n) / held, 1),
    ...{ block: found[0]?.block ?? null, at: found[0]?.at ?? null },
  }
}

/** All tokens of all networks, and the native coin of each, which pays the fees also where it is not listed. */
function tokensOf(networks: readonly NetworkConfig[]): readonly Token[] {
  return networks.flatMap((network) => {
    const listed = network.tokens.map(({ asset, contract, decimals }) => ({
      ...{ network, asset, contract: canonicalOf(network, contract ?? null), decimals, isForFees: false },
    }))
    const hasNative = listed.some(({ contract }) => contract === native)
    return hasNative ? listed : [...listed, { network, contract: native, ...nativeOf[network.kind], isForFees: true }]
  })
}

function canonicalOf({ kind }: NetworkConfig, contract: string | null): string {
  return contract === null || contract === native ? native : canonical(kind, contract)
}

async function balancesOf(pool: pg.Pool): Promise<readonly Balance[]> {
  const { rows } = await pool.query<Balance>('select network, role, contract, balance::text as balance, block, at from treasury_balances')
  return rows
}

/** By token: approved payments that are not final, and those that became final since a moment. */
async function sumsOf(pool: pg.Pool, since: number): Promise<readonly Sum[]> {
  const { rows } = await pool.query<Sum>(
    `select w.network, w.contract, coalesce(sum(w.value) filter (where c.state = 'approved' and p.fate is null), 0)::text as leaving,
       coalesce(sum(w.value) filter (where p.fate = 'paid' and p.settled_at > $1), 0)::text as outflow
     from withdrawal_wishes w join core_withdrawals c on c.id = w.withdrawal left join payouts p on p.withdrawal = w.withdrawal
     where c.state = 'approved' or p.settled_at > $1 group by 1, 2`,
    [since],
  )
  return rows
}

async function beatOf(pool: pg.Pool): Promise<Treasury['beat']> {
  const { rows } = await pool.query<NonNullable<Treasury['beat']>>('select at, is_match as "isMatch", refusal from treasury_beats')
  return rows[0] ?? null
}

/** Open differences, and those of the last week that are closed; the ones that stop the signer stand first. */
async function findingsOf(pool: pg.Pool, tokens: readonly Token[], now: number): Promise<readonly TreasuryFinding[]> {
  const { rows } = await pool.query<Omit<TreasuryFinding, 'asset' | 'url' | 'isNameable'> & { readonly contract: string }>(
    `select f.id, f.network, f.kind, f.contract, f.holder, f.amount::text as amount, f.txid, f.stops, f.found_at as "foundAt",
       f.closed_at as "closedAt", (
         select json_build_object('id', d.id, 'reason', d.reason, 'proposedBy', p.email, 'expiresAt', d.expires_at, 'approvedBy', q.email)
         from chain_decisions d join staff p on p.id = d.proposed_by left join staff q on q.id = d.decided_by
         where d.kind = 'movement' and d.network = f.network and d.txid = f.txid
           and (d.state = 'approved' or (d.state = 'open' and d.expires_at > $2)) order by d.id desc limit 1
       ) as decision
     from treasury_findings f where f.closed_at is null or f.closed_at > $1
     order by f.closed_at is not null, f.stops desc, f.id desc limit ${findingsMax}`,
    [now - closedMs, now],
  )
  return rows.map(({ contract, network, amount, ...row }) => {
    const { label, explorer } = tokens.find((one) => one.network.name === network)?.network ?? { label: network, explorer: undefined }
    const shown = named(tokens, network, contract, amount)
    return {
      ...row,
      network: label,
      ...shown,
      isNameable: row.closedAt === null && isNameable(row),
      url: row.txid === '' || explorer === undefined ? null : explorer.replace('{txid}', row.txid),
    }
  })
}

async function jobsOf(pool: pg.Pool, tokens: readonly Token[]): Promise<readonly TreasuryJob[]> {
  const { rows } = await pool.query<Omit<TreasuryJob, 'asset' | 'amount'> & { readonly contract: string; readonly value: string | null }>(
    `select job as id, network, kind, contract, cardinality(places) as places, value::text as value, state, trouble, made_at as "madeAt"
     from treasury_jobs where state in ('planned', 'bound', 'signed') order by job`,
  )
  return rows.map(({ contract, network, value, ...row }) => {
    const { asset, amount } = named(tokens, network, contract, value ?? '0')
    const label = tokens.find((one) => one.network.name === network)?.network.label ?? network
    return { ...row, network: label, asset, amount: value === null ? null : amount }
  })
}

async function stuckOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from treasury_stuck')
  return rows[0]?.count ?? 0
}

/** A token's symbol and an amount of it; a token that nobody knows keeps its contract and its smallest unit. */
function named(
  tokens: readonly Token[],
  network: string,
  contract: string,
  raw: string,
): { readonly asset: string; readonly amount: string } {
  const token = tokens.find((one) => one.network.name === network && one.contract === contract)
  return token === undefined ? { asset: contract, amount: raw } : { asset: token.asset, amount: decimalOf(BigInt(raw), token.decimals) }
}

/** A whole number of a token's smallest unit as decimal text. */
function decimalOf(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals).replace(/0+$/, '')]
  return `${units < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`
}
