/** The file that names the networks of an exchange: nodes, tokens, addresses and public keys. Nothing in it is secret. */
import { walletKeyChangeText } from '@candor/core/proof/deposit-address.ts'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { toChecksum } from './evm/address.ts'
import { fromBase58, toBase58 } from './tron/address.ts'
import { ed25519Key, isSignedBy } from './signer/statement.ts'
import { address, networkName, publicKey } from './signer/wire.ts'

const units = z.string().regex(/^(0|[1-9][0-9]{0,15})(\.[0-9]{1,18})?$/)
const token = z.strictObject({
  asset: z.string().regex(/^[A-Z0-9]{2,10}$/),
  /** Absent for the native coin. */
  contract: address.exactOptional(),
  /** What the contract calls itself. Absent: as the asset. */
  symbol: z.string().min(1).max(32).exactOptional(),
  /** Credited and paid although no transfer of it could be tried; see `docs/custody.md`. Nothing else is overlooked. */
  isTrusted: z.boolean().exactOptional(),
  decimals: z.int().min(0).max(36),
  /** Smallest deposit that is credited by itself, in the asset. */
  depositMin: units,
  /** From this sum on, what a customer sent is moved to the sink, in the asset. Absent: ten times `depositMin`. */
  sweepMin: units.exactOptional(),
  /** A deposit above it needs a second node that says the same, in the asset. Absent: never. */
  agreeAbove: units.exactOptional(),
})

const network = z.strictObject({
  name: networkName,
  /** Its number in the core. */
  number: z.int().min(1).max(255),
  kind: z.enum(['evm', 'tron']),
  /** What customers call it: `ERC20`. */
  label: z.string().regex(/^[A-Z0-9]{2,12}$/),
  chainId: z.int().min(1),
  /** Independent nodes, the preferred one first. `solidUrl`: of TRON, the address that knows only what can't vanish. */
  nodes: z.array(z.strictObject({ url: z.url(), solidUrl: z.url().exactOptional() })).min(1),
  /** Blocks after which a deposit is credited; 0: when it is final. */
  confirmations: z.int().min(0).max(1_000),
  /** Page of a transaction for people, with `{txid}` in it. */
  explorer: z.string().includes('{txid}').exactOptional(),
  tokens: z.array(token).min(1),
  /** The addresses that pay withdrawals, pay network fees, and take what customers sent. */
  hot: address,
  gas: address,
  sink: address,
  /** The address that writes the newest head of the journal to the network, once a day. Absent: none does. */
  anchor: address.exactOptional(),
  /** How deposit addresses follow: a factory of forwarders, or the extended public key of an account. */
  deposits: z.union([z.strictObject({ factory: address }), z.strictObject({ xpub: z.string().regex(/^xpub/) })]),
  /** Transactions from own addresses that no withdrawal explains and that the operator has dealt with, such as a theft. */
  settled: z.array(z.string().regex(/^(0x)?[0-9a-f]{64}$/)).exactOptional(),
  /** Native coin, in its smallest unit, that one transaction may cost at most. */
  feeMax: z.string().regex(/^[1-9][0-9]{0,30}$/),
})

const schema = z.strictObject({
  /** Ed25519 key by which the signer's process signs deposit addresses. */
  walletKey: publicKey,
  /** How it followed on earlier ones, oldest first, each signed with the one before: `candor custody successor` makes them. */
  walletKeyChanges: z
    .array(z.strictObject({ from: publicKey, to: publicKey, signature: z.string().regex(/^[0-9a-f]{128}$/) }))
    .exactOptional(),
  /** Socket of the signer. */
  signer: z.string().min(1),
  networks: z.array(network).min(1).max(16),
  /** Sandbox only: where test coins can be asked for. */
  faucet: z.url().exactOptional(),
})

export type ChainsConfig = z.output<typeof schema>
export type NetworkConfig = ChainsConfig['networks'][number]
export type TokenConfig = NetworkConfig['tokens'][number]

/** Its name in the folder of chains. Beside it lie `engine.key`, `login.key` and `reconciliation.key`, each for one process. */
export const chainsFileName = 'chains.json'

/** throws  Error that names what is wrong in the file */
export function readChains(file: string): ChainsConfig {
  return parseChains(readFileSync(file, 'utf8'))
}

export function parseChains(text: string): ChainsConfig {
  const given = schema.parse(JSON.parse(text))
  const networks = given.networks.map(asNetworksWrite)
  for (const key of ['name', 'number', 'label'] as const)
    if (new Set(networks.map((one) => one[key])).size !== networks.length) throw new Error(`two networks have the same ${key}`)
  for (const { name, kind, nodes, deposits, tokens, anchor } of networks) {
    if (kind === 'tron' && nodes.some(({ solidUrl }) => solidUrl === undefined)) throw new Error(`${name} needs a solidUrl for each node`)
    if (anchor !== undefined && kind !== 'evm') throw new Error(`${name} takes no anchors: heads are written to EVM networks only`)
    if ((kind === 'evm') !== 'factory' in deposits) throw new Error(`${name} has the deposit addresses of another kind of network`)
    if (new Set(tokens.map(({ asset }) => asset)).size !== tokens.length) throw new Error(`${name} has a token twice`)
  }
  for (const change of given.walletKeyChanges ?? [])
    if (!isSignedBy(ed25519Key(change.from), Buffer.from(walletKeyChangeText(change)), change.signature))
      throw new Error(`the change of the wallet's key ${change.from} is not signed with it`)
  return { ...given, networks }
}

/** An address as readers and tables have it. throws  Error for one of another kind of network */
export function asNetworkWrites(kind: NetworkConfig['kind'], text: string): string {
  return kind === 'evm' ? toChecksum(text) : toBase58(fromBase58(text))
}

/** With each address as its network writes it, which is how readers and tables have it. throws  Error for an address of another kind */
function asNetworksWrite(network: NetworkConfig): NetworkConfig {
  const same = (text: string): string => asNetworkWrites(network.kind, text)
  const { hot, gas, sink, anchor, deposits } = network
  return {
    ...network,
    ...{ hot: same(hot), gas: same(gas), sink: same(sink), ...(anchor === undefined ? {} : { anchor: same(anchor) }) },
    deposits: 'factory' in deposits ? { factory: same(deposits.factory) } : deposits,
    tokens: network.tokens.map((token) => (token.contract === undefined ? token : { ...token, contract: same(token.contract) })),
  }
}
