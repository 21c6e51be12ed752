/** The reconciliation's word that transactions of TRON are dead. It believes no caller: it reads the expirations and asks every node. */
import type pg from 'pg'
import type { NetworkConfig } from '../config.ts'
import type { DigestSigner } from '../keys.ts'
import type { TronNode } from '../payout/tron/node.ts'
import { deadDigest } from '../signer/statement.ts'
import { tronNodesOf } from '../nodes.ts'

/** How long after its end a transaction counts as dead, by the time of the solid block. The signer waits two minutes. */
const deadMs = 130_000

export type DeadOptions = {
  readonly pool: pg.Pool
  readonly networks: readonly Pick<NetworkConfig, 'name' | 'kind' | 'chainId' | 'nodes'>[]
  readonly sign: DigestSigner
}

/** throws  Error unless each transaction has ended and no node has any of them in its solid blocks */
export async function signDead(
  { pool, networks, sign }: DeadOptions,
  network: string,
  withdrawal: number,
  txids: readonly string[],
): Promise<string> {
  const config = networks.find(({ name }) => name === network)
  if (config?.kind !== 'tron') throw new Error(`${network} has transactions that a nonce replaces`)
  const { rows } = await pool.query<{ txid: string; expiration: number }>(
    `select txid, (slot ->> 'expiration')::bigint as expiration from payout_attempts where withdrawal = $1 and raw is not null order by n`,
    [withdrawal],
  )
  if (rows.length !== txids.length || rows.some(({ txid }, place) => txid !== txids[place]))
    throw new Error(`Withdrawal ${withdrawal} has other transactions`)
  const end = Math.max(...rows.map(({ expiration }) => expiration))
  for (const node of tronNodesOf(config)) await proveDead(node, txids, end)
  return sign(deadDigest(network, withdrawal, txids))
}

/** The solid block is read first: what the node says afterwards is at least as new. */
async function proveDead(node: TronNode, txids: readonly string[], end: number): Promise<void> {
  await node.checkChain()
  const { at } = await node.solid()
  if (at <= end + deadMs) throw new Error('A transaction may still be included')
  for (const txid of txids) if ((await node.info(txid, true)) !== undefined) throw new Error(`Transaction ${txid} is in a solid block`)
}
