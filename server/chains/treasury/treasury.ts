/**
 * The treasury: compares the chains with the books, and says so to the signer, which pays nothing without its word. Where something is
 * missing, the word is no.
 */
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { ChainsConfig, NetworkConfig } from '../config.ts'
import { formerNetworks, unlistedDeposits } from '../deposits/unlisted.ts'
import type { DigestSigner } from '../keys.ts'
import { parseUnits } from 'viem'
import { readersOf, tronNodesOf } from '../nodes.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import type { TokenReport } from '../tokens/traits.ts'
import { TronAddresses } from '../tron/deposit-addresses.ts'
import { compareCore } from './core.ts'
import { doesStop, type Finding, storeFindings } from './findings.ts'
import { DepositParts } from './deposits.ts'
import { Heartbeat, type SignerDoor } from './heartbeat.ts'
import { ownOf } from './own.ts'
import { reconcileAll } from './reconcile.ts'
import { EvmSweepChain, type SweepChain, TronSweepChain } from './sweep-chain.ts'
import { Sweeper, type SweeperOptions } from './sweeper.ts'

export type TreasuryOptions = {
  readonly pool: pg.Pool
  readonly config: ChainsConfig
  readonly assets: readonly Asset[]
  readonly ask: Pick<Ask, 'chainFlows'>
  readonly signer: SignerDoor
  /** Signs for the reconciliation. */
  readonly sign: DigestSigner
  readonly clock: Clock
  readonly log: (line: { readonly message: string; readonly cause?: unknown }) => void
  /** Tokens of a network that are neither credited nor paid. */
  readonly stoppedTokens?: (network: string) => readonly TokenReport[]
  /** How long a turn waits for the scanner. */
  readonly waitMs?: number
  /** For tests, which end the process at a step, and do not wait. */
  readonly sweeping?: Pick<SweeperOptions, 'onStep' | 'times'> & { readonly lifeMs?: number }
}

export class Treasury {
  readonly #options: TreasuryOptions
  readonly #heartbeat: Heartbeat
  readonly #sweepers: readonly Sweeper[]
  /** By network. */
  readonly #parts: ReadonlyMap<string, DepositParts>

  constructor(options: TreasuryOptions) {
    this.#options = options
    this.#heartbeat = new Heartbeat(options)
    this.#parts = new Map(options.config.networks.map(({ name }) => [name, new DepositParts()]))
    this.#sweepers = options.config.networks.map((network) => sweeperOf(options, network))
  }

  /**
   * Compares, tells the signer, and sweeps. While a network can't be read, the signer hears nothing, and stops after ten minutes.
   *
   * returns  whether the signer heard that books and chains match
   * throws  PayoutWaits when the signer does not answer
   */
  async turn(): Promise<boolean> {
    const { log } = this.#options
    const { found, isComplete } = await this.#compare()
    const isMatch = !found.some(doesStop)
    if (isMatch && !isComplete) return false
    const refusal = await this.#heartbeat.beat(isMatch)
    if (refusal !== undefined) {
      log({ message: `The signer refuses the statement about the books: ${refusal}` })
      return false
    }
    // Nothing is moved while something is missing.
    if (isMatch) for (const sweeper of this.#sweepers) await this.#guarded('Sweeping', () => sweeper.pass())
    return isMatch
  }

  async #compare(): Promise<{ readonly found: readonly Finding[]; readonly isComplete: boolean }> {
    const { pool, config, log, clock } = this.#options
    const found: Finding[] = []
    const compared: string[] = []
    const core = await this.#guarded('Comparing the core', () => compareCore({ ...this.#options, networks: config.networks }))
    for (const network of config.networks) {
      const here = await this.#guarded(`Comparing ${network.name}`, () => this.#network(network))
      if (here === undefined || core === undefined) continue
      compared.push(network.name)
      found.push(...here, ...core.filter((each) => each.network === network.name), ...this.#tokens(network.name))
    }
    const former = await formerNetworks(pool, config.networks)
    const waiting = await unlistedDeposits(pool, config.networks)
    for (const { network, contract, raw } of waiting)
      if ([...compared, ...former].includes(network))
        found.push({ network, kind: 'unlisted', holder: contract, contract, txid: '', amount: raw })
    const fresh = await inTransaction(pool, (client) => storeFindings(client, [...compared, ...former], found, clock()))
    for (const { network, kind, holder, txid, amount } of fresh)
      log({ message: `Treasury: ${kind} of ${amount} at ${holder} on ${network}${txid === '' ? '' : ` in ${txid}`}` })
    return { found, isComplete: compared.length === config.networks.length }
  }

  #network(network: NetworkConfig): Promise<readonly Finding[]> {
    const { pool, clock, waitMs } = this.#options
    const about = { settled: network.settled ?? [], own: ownOf(network), parts: this.#parts.get(network.name)! }
    return reconcileAll({ pool, clock, ...about, ...(waitMs === undefined ? {} : { waitMs }) }, readersOf(network))
  }

  #tokens(network: string): readonly Finding[] {
    const { stoppedTokens = () => [] } = this.#options
    return stoppedTokens(network).map(({ contract, verdict }) => ({
      ...{ network, kind: verdict === 'refused' ? 'token-refused' : 'token-unproven', holder: contract, contract, txid: '', amount: 0n },
    }))
  }

  async #guarded<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (cause) {
      this.#options.log({ message: `${what}: stopped for a moment, trying again`, cause })
      return undefined
    }
  }
}

/** Without `sweepMin`, this many times the smallest deposit. */
const sweepTimes = 10n

function sweeperOf({ pool, signer, clock, sweeping = {} }: TreasuryOptions, network: NetworkConfig): Sweeper {
  const tokens = ownOf(network).tokens.map(({ asset, contract, decimals }) => {
    const { depositMin, sweepMin } = network.tokens.find((token) => token.asset === asset)!
    return { contract, min: sweepMin === undefined ? parseUnits(depositMin, decimals) * sweepTimes : parseUnits(sweepMin, decimals) }
  })
  const { lifeMs, ...rest } = sweeping
  const chain = sweepChainOf(network, clock, lifeMs)
  return new Sweeper({ pool, network: network.name, chain, reader: readersOf(network)[0]!, signer, tokens, clock, ...rest })
}

function sweepChainOf(network: NetworkConfig, clock: Clock, lifeMs: number | undefined): SweepChain {
  const { chainId, nodes, deposits } = network
  if ('factory' in deposits) return new EvmSweepChain({ nodes: nodes.map(({ url }) => new JsonRpc(url)), network })
  const addresses = new TronAddresses(deposits.xpub)
  return new TronSweepChain({
    ...{ nodes: tronNodesOf({ chainId, nodes }), network, clock },
    ...{ addressAt: (place: number) => addresses.at(place), ...(lifeMs === undefined ? {} : { lifeMs }) },
  })
}
