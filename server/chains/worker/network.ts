/** One network of an exchange: its nodes read, its deposits credited, its withdrawals paid. */
import { parseUnits } from '@candor/core/money/units.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { Anchorer } from '../anchor/anchorer.ts'
import type { NetworkConfig } from '../config.ts'
import { Checks } from '../deposits/checks.ts'
import { Crediting } from '../deposits/crediting.ts'
import { erasedScreen } from '../deposits/erased.ts'
import { Finder } from '../deposits/finder.ts'
import type { DepositRow } from '../deposits/tables.ts'
import { type DepositToken, tokensOf } from '../deposits/terms.ts'
import { readersOf, tronNodesOf } from '../nodes.ts'
import type { PayoutChain } from '../payout/chain.ts'
import { EvmPayoutChain } from '../payout/evm/chain.ts'
import { feeTerms } from '../payout/fees.ts'
import type { LastingLink } from '../payout/link.ts'
import type { PayoutOptions } from '../payout/options.ts'
import { Payout } from '../payout/payout.ts'
import { TronPayoutChain } from '../payout/tron/chain.ts'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { Scanner } from '../scan/scanner.ts'
import { checkToken, expectedOf, lastHolders, TokenGate } from '../tokens/gate.ts'
import { joined, OwnFlows } from '../treasury/flows.ts'
import { ownOf } from '../treasury/own.ts'
import { approvedOf } from './approvals.ts'

export type Log = (line: { readonly message: string; readonly cause?: unknown }) => void

export type NetworkOptions = {
  readonly network: NetworkConfig
  readonly pool: pg.Pool
  readonly assets: readonly Asset[]
  readonly signer: LastingLink
  readonly signDead: PayoutOptions['signDead']
  readonly policy: NonNullable<PayoutOptions['policy']>
  /** Whether a deposit's address is signed for its customer. */
  readonly isAddressGood: (deposit: DepositRow) => Promise<boolean>
  readonly submit: Submit
  readonly clock: Clock
  readonly log: Log
}

export type NetworkParts = { readonly scanner: Scanner; readonly crediting: Crediting; readonly payout: Payout; readonly gate: TokenGate }

export function partsOf(options: NetworkOptions): NetworkParts {
  const { network, pool, clock, log, isAddressGood } = options
  const tokens = depositTokens(network, options.assets)
  const { name, confirmations, gas } = network
  const sink = joined([new Finder({ pool, network: name, gas, tokens, clock }), new OwnFlows({ pool, own: ownOf(network) })])
  const scanner = new Scanner({ network: name, readers: readersOf(network), pool, sink, log })
  const gate = gateOf(options)
  const isTokenGood = (contract: string | undefined): boolean | undefined => gate.isGood(contract)
  const checks = new Checks({
    nodes: () => ({ reader: scanner.reader, other: scanner.other }),
    isAddressGood,
    // A port for lists of sanctions and the like, too: none is built in.
    screen: erasedScreen(pool),
    isTokenGood,
  })
  const crediting = new Crediting({ pool, network: name, label: network.label, confirmations, tokens, checks, clock, log })
  return { scanner, crediting, payout: payoutOf(options, isTokenGood), gate }
}

function gateOf({ network, pool, clock, log }: NetworkOptions): TokenGate {
  return new TokenGate({
    ...{ network: network.name, tokens: expectedOf(network), clock, log },
    check: async (contract, expected) =>
      checkToken(network, contract, { expected, holders: await lastHolders(pool, network.name, contract) }),
  })
}

export function depositTokens(network: NetworkConfig, assets: readonly Asset[]): ReadonlyMap<string, DepositToken> {
  const known = network.tokens.flatMap((token) => {
    const asset = assets.find(({ symbol }) => symbol === token.asset)
    return asset === undefined ? [] : [{ token, asset }]
  })
  const terms = known.map(({ token, asset: { id, symbol, scale } }) => {
    const units = (text: string): Units => {
      const number = parseUnits(text, scale)
      if (number === undefined) throw new Error(`${network.name}: ${text} is no sum of ${symbol}`)
      return number as Units
    }
    const { depositMin, agreeAbove } = token
    return [symbol, { asset: id, scale, min: units(depositMin), ...(agreeAbove === undefined ? {} : { agreeAbove: units(agreeAbove) }) }]
  })
  return tokensOf({ ...network, nodes: [], tokens: known.map(({ token }) => token) }, Object.fromEntries(terms))
}

function payoutOf(
  { network, pool, signer, signDead, policy, submit, clock }: NetworkOptions,
  isTokenGood: NonNullable<PayoutOptions['isTokenGood']>,
): Payout {
  return new Payout({
    ...{ pool, network: network.name, chain: payoutChainOf(network), signer, signDead, policy, isTokenGood, clock },
    approved: () => approvedOf(pool, network.name),
    finish: finisher(submit),
  })
}

/** Tells the core what became of a withdrawal. throws  Error when the core refuses it */
export function finisher(submit: Submit): PayoutOptions['finish'] {
  return async (withdrawal, isPaid) => {
    const { refusal } = await submit({ type: 'withdraw.finish', withdrawal: withdrawal as WithdrawalNumber, isPaid })
    if (refusal !== undefined) throw new Error(`The core refuses the end of withdrawal ${withdrawal}: ${refusal}`)
  }
}

/** Writes heads to the network, if an address is configured that does. */
export function anchorerOf(network: NetworkConfig, parts: Pick<NetworkOptions, 'pool' | 'signer' | 'clock'>): Anchorer | undefined {
  const { name, chainId, nodes, anchor: from } = network
  if (from === undefined) return undefined
  const chain = new EvmPayoutChain({ nodes: nodes.map(({ url }) => new JsonRpc(url)), chainId, from, fees: feeTerms })
  return new Anchorer({ ...parts, network: name, chainId, from, chain, reader: readersOf(network)[0]! })
}

function payoutChainOf({ kind, chainId, nodes, hot, feeMax }: NetworkConfig): PayoutChain {
  if (kind === 'evm') return new EvmPayoutChain({ nodes: nodes.map(({ url }) => new JsonRpc(url)), chainId, from: hot, fees: feeTerms })
  return new TronPayoutChain({ nodes: tronNodesOf({ chainId, nodes }), from: hot, feeLimitMax: BigInt(feeMax) })
}
