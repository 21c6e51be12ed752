/** Deposits of tokens that the file of networks does not list any more. */
import type pg from 'pg'
import { type ChainToken, nativeContract, type Network } from '../ports.ts'

type Networks = readonly (Pick<Network, 'name'> & { readonly tokens: readonly Pick<ChainToken, 'contract' | 'decimals'>[] })[]

const listed = (networks: Networks) =>
  networks.flatMap(({ name, tokens }) => tokens.map(({ contract = nativeContract, decimals }) => ({ name, contract, decimals })))

/** Notes the digits of listed tokens at their deposits, so that these can be shown whatever becomes of the list. */
export async function noteDigits(pool: pg.Pool, networks: Networks): Promise<void> {
  const all = listed(networks)
  await pool.query(
    `update deposits d set decimals = l.decimals from unnest($1::text[], $2::text[], $3::smallint[]) as l (network, contract, decimals)
     where d.network = l.network and d.contract = l.contract and d.asset is not null and d.decimals is null`,
    [all.map(({ name }) => name), all.map(({ contract }) => contract), all.map(({ decimals }) => decimals)],
  )
}

export type Unlisted = { readonly network: string; readonly contract: string; readonly raw: bigint }

/** What waits to be credited of tokens that are not listed any more, in their smallest units. */
export async function unlistedDeposits(pool: pg.Pool, networks: Networks): Promise<readonly Unlisted[]> {
  const all = listed(networks)
  const { rows } = await pool.query<{ network: string; contract: string; raw: string }>(
    `select network, contract, sum(raw)::text as raw from deposits
     where asset is not null and state in ('confirming', 'small', 'held')
       and (network, contract) not in (select * from unnest($1::text[], $2::text[])) group by network, contract`,
    [all.map(({ name }) => name), all.map(({ contract }) => contract)],
  )
  return rows.map(({ network, contract, raw }) => ({ network, contract, raw: BigInt(raw) }))
}

/** Networks that were read once and are not in the file any more. */
export async function formerNetworks(pool: pg.Pool, networks: Networks): Promise<readonly string[]> {
  const { rows } = await pool.query<{ network: string }>('select network from chain_cursors where network <> all($1)', [
    networks.map(({ name }) => name),
  ])
  return rows.map(({ network }) => network)
}
