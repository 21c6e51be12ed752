/**
 * Makes the statement of reserves of each day: own addresses sign the newest head, two nodes tell what they hold at one block, and all of
 * it becomes a text. The process that signs heads signs it later.
 */
import { dayOf } from '@candor/core/proof/chain/day.ts'
import { headHash, isPossessed, ownHead, type Possession } from '@candor/core/proof/chain/possession.ts'
import {
  type ReserveAddress,
  type ReserveNetwork,
  type ReserveRole,
  readReserveText,
  reserveText,
} from '@candor/core/proof/chain/reserve-text.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import type { ChainsConfig, NetworkConfig } from '../config.ts'
import { lockNetwork, networkWork, unlockNetwork } from '../payout/network-lock.ts'
import { type Reason, SignerRefused } from '../signer/reasons.ts'
import type { SignerDoor } from '../treasury/heartbeat.ts'
import { readBalances, type Source, sourcesOf } from './balances.ts'
import { coldPossession, firstKey, headOfDay, heldDeposits, keepPossession, keepStatement, newestStatement } from './tables.ts'

export type ReserveOptions = {
  readonly pool: pg.Pool
  readonly config: Pick<ChainsConfig, 'networks'>
  readonly signer: SignerDoor
  readonly clock: Clock
  /** The nodes of a network. */
  readonly sources?: (network: NetworkConfig) => readonly Source[]
}

/** A day whose statement lacks a network tries again. */
const againMs = 600_000
/** Most deposit addresses that a statement names. What others hold is left out: reserves are rather too small. */
const depositsMax = { evm: 2_000, tron: 200 } as const

/** The policy does not let these sign: they are named without a signature, and do not count. */
const unsigned: readonly Reason[] = ['NO_RESERVES', 'NETWORK_UNKNOWN', 'NO_ADDRESSES', 'CAP_DEPOSITS', 'DAY_TAKEN', 'KEY_FAILED']

type Held = Pick<ReserveAddress, 'address' | 'role' | 'place'>

export class ReserveMaker {
  readonly #options: ReserveOptions

  constructor(options: ReserveOptions) {
    this.#options = options
  }

  /**
   * Makes the statement of the day unless there is one, or again when a network was missing in it. Of several processes one works.
   *
   * returns  its number; undefined when none was due, or there is no head of the day yet
   * throws   PayoutWaits when the signer does not answer
   */
  async turn(): Promise<number | undefined> {
    const client = await this.#options.pool.connect()
    let isWell = false
    try {
      const made = (await lockNetwork(client, networkWork.reserves, '')) ? await this.#make(client) : undefined
      await unlockNetwork(client, networkWork.reserves, '')
      isWell = true
      return made
    } finally {
      // A connection that failed keeps no lock.
      client.release(!isWell)
    }
  }

  async #make(client: pg.PoolClient): Promise<number | undefined> {
    const { config, clock } = this.#options
    const day = dayOf(clock())
    const last = await newestStatement(client)
    if (last !== undefined && !this.#isDue(last, day)) return undefined
    const head = await headOfDay(client, day)
    if (head === undefined) return undefined
    const named = ownHead(await firstKey(client), head)
    const networks: ReserveNetwork[] = []
    for (const network of config.networks) networks.push(await this.#network(client, network, day, named))
    const at = clock()
    // Begun before midnight and ended after it: the next turn makes that of the new day.
    if (dayOf(at) !== day) return undefined
    const n = (last?.n ?? 0) + 1
    const text = reserveText({ n, at, day, head: { n: head.n, hash: headHash(head.text) }, networks })
    await keepStatement(client, { n, at, head: head.n, text })
    return n
  }

  #isDue({ at, text }: { readonly at: number; readonly text: string }, day: string): boolean {
    if (dayOf(at) !== day) return true
    const isMissing = readReserveText(text)?.networks.some(({ state }) => state === 'differ' || state === 'silent') === true
    return isMissing && this.#options.clock() - at >= againMs
  }

  async #network(client: pg.PoolClient, network: NetworkConfig, day: string, named: Possession['head']): Promise<ReserveNetwork> {
    const { clock, sources = sourcesOf } = this.#options
    const { name, kind, chainId, deposits, tokens } = network
    const nodes = sources(network)
    const held = await this.#held(client, network)
    const signed: ReserveAddress[] = []
    for (const one of held) signed.push({ ...one, signed: await this.#signedDay(client, network, one, day, named), balances: [] })
    const wanted = { kind, addresses: held.map(({ address }) => address), coins: tokens.map(({ contract }) => contract) }
    const reading = await readBalances(nodes, wanted, clock())
    const coins = tokens.map(({ asset, contract, decimals }) => ({
      asset,
      decimals,
      contract: contract === undefined ? 'native' : written(kind, contract),
    }))
    const about = { name, kind, chainId, state: reading.state, sources: nodes.map(({ host }) => host), coins }
    if (!('block' in reading)) return { ...about, block: undefined, factory: undefined, addresses: [] }
    const factory = 'factory' in deposits ? written(kind, deposits.factory) : undefined
    return { ...about, block: reading.block, factory, addresses: signed.map((one, at) => ({ ...one, balances: reading.balances[at]! })) }
  }

  /** One that has two roles is named once. */
  async #held(client: pg.PoolClient, network: NetworkConfig): Promise<readonly Held[]> {
    const { name, kind, hot, gas, sink } = network
    const own: readonly (readonly [ReserveRole, string])[] = [
      ['hot', hot],
      ['gas', gas],
      ['cold', sink],
    ]
    const role = kind === 'evm' ? 'forwarder' : 'deposit'
    const deposits = await heldDeposits(client, name, depositsMax[kind])
    const all = [
      ...own.map(([role, address]) => ({ role, address: written(kind, address), place: undefined })),
      ...deposits.map(({ address, place }) => ({ role, address: written(kind, address), place }) as const),
    ]
    return [...new Map(all.toReversed().map((one) => [one.address, one])).values()].toReversed()
  }

  /** The day of the address's signature; undefined when it has none that counts. */
  async #signedDay(
    client: pg.PoolClient,
    network: NetworkConfig,
    one: Held,
    day: string,
    named: Possession['head'],
  ): Promise<string | undefined> {
    const { signer, clock } = this.#options
    const { name, kind, chainId } = network
    if (one.role === 'forwarder') return undefined
    if (one.role === 'cold') return (await coldPossession(client, name, one.address, day))?.day
    const of = one.role === 'deposit' ? one.place! : one.role
    try {
      const { signature } = await signer.through((link) => link.possess({ network: name, of, day, head: named }))
      const about: Possession = { network: name, kind, chainId, address: one.address, day, head: named }
      // Of another address than the file of networks has: it proves nothing for this one.
      if (!isPossessed(about, signature)) return undefined
      await keepPossession(client, { network: name, address: one.address, day, head: named.n, signature }, clock())
      return day
    } catch (cause) {
      if (cause instanceof SignerRefused && unsigned.includes(cause.reason)) return undefined
      throw cause
    }
  }
}

/** An address as statements write it. */
export const written = (kind: NetworkConfig['kind'], address: string): string => (kind === 'evm' ? address.toLowerCase() : address)
