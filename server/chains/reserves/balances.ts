/** Balances at one block, as every configured node tells them. Nothing counts that two nodes tell differently. */
import { setTimeout as sleep } from 'node:timers/promises'
import { blockAgeMaxMs } from '@candor/core/proof/chain/reserves.ts'
import type { ReserveNetwork } from '@candor/core/proof/chain/reserve-text.ts'
import type { NetworkConfig } from '../config.ts'
import { readersOf } from '../nodes.ts'
import type { Block, ChainReader } from '../ports.ts'
import { NodeFault } from '../rpc/json-rpc.ts'

export type Source = { readonly host: string; readonly reader: Pick<ChainReader, 'final' | 'block' | 'balance'> }

/** Nodes of different hosts: two addresses of one host are no two sources. */
export function sourcesOf(network: NetworkConfig): readonly Source[] {
  const readers = readersOf(network)
  const hosts = network.nodes.map(({ url }) => new URL(url).host)
  return hosts.flatMap((host, at) => (hosts.indexOf(host) === at ? [{ host, reader: readers[at]! }] : []))
}

export type Reading =
  | { readonly state: 'agreed' | 'single'; readonly block: NonNullable<ReserveNetwork['block']>; readonly balances: Balances }
  | { readonly state: 'differ' | 'silent' }

/** By address, then by coin, in the order in which they were asked for. */
type Balances = readonly (readonly bigint[])[]

export type Wanted = {
  readonly kind: NetworkConfig['kind']
  readonly addresses: readonly string[]
  /** Contracts; undefined for the network's own coin. */
  readonly coins: readonly (string | undefined)[]
}

/** Questions to one node at the same time. */
const atOnce = 8
/** On TRON, where balances may move while they are read. */
const triesMax = 3
const pollMs = 500
const pollsMax = 60

/** What all sources say of the addresses at one final block. */
export async function readBalances(sources: readonly Source[], wanted: Wanted, now: number): Promise<Reading> {
  try {
    return wanted.kind === 'evm' ? await atFinal(sources, wanted, now) : await atSolid(sources, wanted, now)
  } catch (cause) {
    // One of several that does not answer leaves a number that nobody confirms.
    if (cause instanceof NodeFault) return { state: 'silent' }
    throw cause
  }
}

async function atFinal(sources: readonly Source[], wanted: Wanted, now: number): Promise<Reading> {
  const number = Math.min(...(await Promise.all(sources.map(({ reader }) => reader.final()))))
  const blocks = await Promise.all(sources.map(({ reader }) => blockOf(reader, number)))
  const balances = await Promise.all(sources.map(({ reader }) => balancesOf(reader, wanted, number)))
  // Read before and after: the node had this block all the while.
  const again = await Promise.all(sources.map(({ reader }) => blockOf(reader, number)))
  return said([...blocks, ...again], balances, now)
}

/**
 * Nodes of TRON tell only their newest balances. Each is read twice: what was the same before and after a block, it was at the block.
 */
async function atSolid(sources: readonly Source[], wanted: Wanted, now: number): Promise<Reading> {
  let last: Reading = { state: 'silent' }
  for (let tries = 0; tries < triesMax; tries++) {
    const before = await Promise.all(sources.map(({ reader }) => balancesOf(reader, wanted)))
    const number = Math.max(...(await Promise.all(sources.map(({ reader }) => reader.final()))))
    for (const { reader } of sources) await hasCome(reader, number)
    const after = await Promise.all(sources.map(({ reader }) => balancesOf(reader, wanted)))
    const blocks = await Promise.all(sources.map(({ reader }) => blockOf(reader, number)))
    last = said(blocks, [...before, ...after], now, sources.length)
    if (last.state !== 'differ') return last
  }
  return last
}

async function hasCome(reader: Source['reader'], number: number): Promise<void> {
  for (let polls = 0; (await reader.final()) < number; polls++) {
    if (polls === pollsMax) throw new NodeFault('The node stands still')
    await sleep(pollMs)
  }
}

function said(blocks: readonly Block[], balances: readonly Balances[], now: number, sources = balances.length): Reading {
  const [block, first] = [blocks[0]!, balances[0]!]
  if (blocks.some(({ hash }) => hash !== block.hash) || balances.some((each) => textOf(each) !== textOf(first))) return { state: 'differ' }
  if (block.at < now - blockAgeMaxMs / 2) return { state: 'silent' }
  const { number, hash, at } = block
  return { state: sources > 1 ? 'agreed' : 'single', block: { number, hash: hash.replace(/^0x/, ''), at }, balances: first }
}

const textOf = (balances: Balances): string => balances.map((each) => each.join()).join(';')

async function blockOf(reader: Source['reader'], number: number): Promise<Block> {
  const block = await reader.block(number)
  if (block === undefined) throw new NodeFault(`The node does not have block ${number}`)
  return block
}

async function balancesOf(reader: Source['reader'], { addresses, coins }: Wanted, at?: number): Promise<Balances> {
  const found: bigint[][] = []
  for (let from = 0; from < addresses.length; from += atOnce)
    found.push(
      ...(await Promise.all(
        addresses.slice(from, from + atOnce).map((address) => Promise.all(coins.map((contract) => reader.balance(address, contract, at)))),
      )),
    )
  return found
}
