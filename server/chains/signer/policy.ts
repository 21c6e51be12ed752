/** The signer's policy: a file that the owner of the keys signed. The signer reads it once, at its start. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { addressOf } from '../evm/build.ts'
import type { Payment } from './statement.ts'
import { fromBase58 } from '../tron/address.ts'
import { TronAddresses } from '../tron/deposit-addresses.ts'
import { CustodyFault, SignerRefused } from './reasons.ts'
import { ed25519Key, isSignedBy, policyDigest } from './statement.ts'
import { address, amount, count, networkName, passkeyId, passkeyKey, publicKey, signature } from './wire.ts'

/** Hundredths of a USDT. */
const cents = count
const caps = { payment: cents, hour: cents, day: cents }

const token = z.strictObject({
  asset: z.string().regex(/^[A-Z0-9]{2,10}$/),
  contract: address.exactOptional(),
  decimals: z.number().int().min(0).max(36),
  /** At what the caps count a whole token: a price that the market does not exceed. */
  cents: cents.min(1),
})

const network = z.strictObject({
  name: networkName,
  kind: z.enum(['evm', 'tron']),
  chainId: count.min(1),
  /** The address that pays. */
  from: address,
  tokens: z.array(token).min(1),
  /** Own addresses and others that are never paid, besides zero and the contracts of the tokens. */
  denied: z.array(address),
  /** Most that one transaction, and all of 24 hours, may cost, in the native coin's smallest unit. */
  feeMax: amount,
  feeDay: amount,
  /** The first nonce, when the address was used before. */
  firstNonce: count.exactOptional(),
  /** How deposit addresses follow: the factory of forwarders, or the extended public key of the account. Absent: there are none. */
  deposits: z
    .union([z.strictObject({ factory: address }), z.strictObject({ xpub: z.string().regex(/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/) })])
    .exactOptional(),
  /** The address that takes what customers sent, and the one that pays network fees for it. */
  sink: address.exactOptional(),
  gas: address.exactOptional(),
  /** As `feeMax`, `feeDay` and `firstNonce`, for the address that pays fees. Absent: the same limits. */
  sweepFeeMax: amount.exactOptional(),
  sweepFeeDay: amount.exactOptional(),
  gasFirstNonce: count.exactOptional(),
  /** Most of the native coin that one deposit address, and all in 24 hours, get for their sweeps. Absent: as for fees. */
  fuelMax: amount.exactOptional(),
  fuelDay: amount.exactOptional(),
  /** Own addresses say each day that they are the exchange's. `deposits`: most deposit addresses that do so in a day. Absent: none does. */
  reserves: z.strictObject({ deposits: count }).exactOptional(),
  /** The address that writes heads of the journal to the chain; what one transaction and 24 hours may cost. Absent: none is written. */
  anchor: z.strictObject({ from: address, feeMax: amount, feeDay: amount, firstNonce: count.exactOptional() }).exactOptional(),
  caps: z.strictObject(caps),
})

const operator = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  keys: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('ed25519'), publicKey }),
        z.strictObject({ kind: z.literal('passkey'), id: passkeyId, publicKey: passkeyKey }),
      ]),
    )
    .min(1),
})

const schema = z.strictObject({
  /** Rises with each policy: an older one is refused. */
  version: count.min(1),
  /** Public keys: of the engine, the reconciliation, and the login that attests customers without a passkey. */
  engine: publicKey,
  reconciliation: publicKey,
  login: publicKey,
  operators: z.array(operator),
  /** For passkeys of customers and operators: the domain and the pages on which they are used. */
  passkeys: z.strictObject({ rpId: z.string().min(1), origins: z.array(z.string().min(1)).min(1) }),
  networks: z.array(network).min(1),
  /** Over all networks. `userDay`: of one customer. */
  caps: z.strictObject({ hour: cents, day: cents, userDay: cents }),
  /** Two operators approve a payment above this. */
  approvalAbove: cents,
  /** For customers without a passkey. */
  attested: z.strictObject({ payment: cents, userDay: cents, day: cents }),
})

export type Policy = z.output<typeof schema>
export type NetworkPolicy = Policy['networks'][number]
export type TokenPolicy = NetworkPolicy['tokens'][number]

/** Files of the policy in the signer's folder: as people read it, and the owner's signature of exactly that text. */
export const policyName = 'policy.json'
export const policySignatureName = 'policy.sig'

/** `owner`: the public key that must have signed it. throws  CustodyFault */
export function readPolicy(folder: string, owner: string): Policy {
  try {
    const text = policyText(folder)
    const given = signature.parse(readFileSync(join(folder, policySignatureName), 'utf8').trim())
    if (!isSignedBy(ed25519Key(owner), policyDigest(text), given)) throw new Error('its owner did not sign it')
    return parsePolicy(text)
  } catch (cause) {
    throw new CustodyFault(`The policy is refused: ${cause instanceof Error ? cause.message : ''}`, { cause })
  }
}

export const policyText = (folder: string): string => readFileSync(join(folder, policyName), 'utf8')

/** throws  Error when it is no policy, or contradicts itself */
export function parsePolicy(text: string): Policy {
  const policy = schema.parse(JSON.parse(text))
  const names = policy.networks.map(({ name }) => name)
  if (new Set(names).size !== names.length) throw new Error('a network is there twice')
  const people = policy.operators.map(({ name }) => name)
  if (new Set(people).size !== people.length) throw new Error('an operator is there twice')
  const keys = policy.operators.flatMap((each) => each.keys.map(({ publicKey }) => publicKey))
  const all = [...keys, policy.engine, policy.reconciliation, policy.login]
  if (new Set(all).size !== all.length) throw new Error('two have the same key')
  const passkeys = policy.operators.flatMap((each) => each.keys.flatMap((key) => (key.kind === 'passkey' ? [key.id] : [])))
  if (new Set(passkeys).size !== passkeys.length) throw new Error('two have the same passkey')
  for (const network of policy.networks) checkAddresses(network)
  return policy
}

function checkAddresses(network: NetworkPolicy): void {
  const { kind, from, denied, gas, anchor, deposits } = network
  const same = (text: string): string => canonicalAddress(kind, text)
  if (anchor !== undefined && kind !== 'evm') throw new Error('heads are written to EVM networks only')
  // With a nonce of its own, it holds up nothing else.
  if (anchor !== undefined && [from, gas ?? []].flat().some((each) => same(each) === same(anchor.from)))
    throw new Error('the key that writes heads pays something else')
  for (const each of [from, ...denied, ...ownOf(network), ...contractsOf(network)]) same(each)
  if (gas !== undefined && same(gas) === same(from)) throw new Error('one key pays withdrawals and fees')
  if (deposits === undefined) return
  if ((kind === 'evm') !== 'factory' in deposits) throw new Error('deposit addresses of another kind of network')
  if ('xpub' in deposits) same(new TronAddresses(deposits.xpub).at(1))
}

/** The exchange's own addresses besides the one that pays. */
function ownOf({ sink, gas, anchor, deposits }: NetworkPolicy): readonly string[] {
  return [sink ?? [], gas ?? [], anchor?.from ?? [], deposits !== undefined && 'factory' in deposits ? deposits.factory : []].flat()
}

/** One way of writing for each address. throws  Error when it is none */
export function canonicalAddress(kind: NetworkPolicy['kind'], text: string): string {
  if (kind === 'evm') return addressOf(text)
  fromBase58(text)
  return text
}

/** 20 zero bytes: money sent there is lost. */
const zero = { evm: `0x${'0'.repeat(40)}`, tron: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb' } as const

/** The network and token of a payment. throws  SignerRefused when the policy does not allow the payment's destination */
export function allowedBy(policy: Policy, payment: Payment): { readonly network: NetworkPolicy; readonly token: TokenPolicy } {
  const network = policy.networks.find(({ name }) => name === payment.network)
  if (network === undefined) throw new SignerRefused('NETWORK_UNKNOWN')
  if (network.chainId !== payment.chainId) throw new SignerRefused('CHAIN_WRONG')
  const same = (a: string): string => canonicalAddress(network.kind, a)
  const contract = readable(() => payment.contract && same(payment.contract), 'CONTRACT_UNKNOWN')
  const token = network.tokens.find((each) => (each.contract && same(each.contract)) === contract)
  if (token === undefined) throw new SignerRefused('CONTRACT_UNKNOWN')
  const to = readable(() => same(payment.to), 'ADDRESS_BAD')
  const own = policy.networks
    .filter(({ kind }) => kind === network.kind)
    .flatMap((each) => [each.from, ...ownOf(each), ...each.denied, ...contractsOf(each)])
  if (to === zero[network.kind] || own.some((each) => same(each) === to)) throw new SignerRefused('DESTINATION_DENIED')
  return { network, token }
}

const contractsOf = ({ tokens }: NetworkPolicy): readonly string[] => tokens.flatMap(({ contract }) => contract ?? [])

function readable<T>(read: () => T, reason: 'CONTRACT_UNKNOWN' | 'ADDRESS_BAD'): T {
  try {
    return read()
  } catch (cause) {
    throw new SignerRefused(reason, { cause })
  }
}

/** What the caps count for an amount: in hundredths of a USDT, rounded up. */
export function worthOf(value: bigint, { decimals, cents }: TokenPolicy): bigint {
  const unit = 10n ** BigInt(decimals)
  return (value * BigInt(cents) + unit - 1n) / unit
}
