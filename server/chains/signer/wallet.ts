/** Deposit addresses as the signer gives them out: computed from its policy, and signed with a key of their own. */
import { depositAddressText, type WalletKeyChange, walletKeyChangeText } from '@candor/core/proof/deposit-address.ts'
import { hkdfSync, type KeyObject, sign } from 'node:crypto'
import { forwarderAddress } from '../evm/forwarder.ts'
import { TronAddresses } from '../tron/deposit-addresses.ts'
import { addressOf } from '../evm/build.ts'
import type { NetworkPolicy } from './policy.ts'
import { SignerRefused } from './reasons.ts'
import { ed25519Private, ed25519Public } from './statement.ts'

/** The seed of the wallet's key, from the seed of the deposits' backup words: who restores these keeps the signatures of all addresses. */
export function walletSeedOf(seed: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', seed, Buffer.alloc(0), 'candor wallet 1', 32))
}

/** The public key by which browsers and the deposit machine check signatures, as hex. */
export const walletKeyOf = (seed: Uint8Array): string => ed25519Public(ed25519Private(seed))

/** Says with the wallet's key that another one signs addresses from now on. */
export function keyChangeOf(seed: Uint8Array, to: string): WalletKeyChange {
  const from = walletKeyOf(seed)
  return { from, to, signature: sign(null, Buffer.from(walletKeyChangeText({ from, to })), ed25519Private(seed)).toString('hex') }
}

/** How the deposit addresses of a network follow. */
export type Plan = Pick<NetworkPolicy, 'name' | 'chainId' | 'deposits'>

export class Wallet {
  readonly #key: KeyObject
  readonly #addresses: ReadonlyMap<string, (place: number) => string>
  /** As hex. */
  readonly publicKey: string

  constructor(seed: Uint8Array, networks: readonly Plan[]) {
    this.#key = ed25519Private(seed)
    this.publicKey = ed25519Public(this.#key)
    this.#addresses = new Map(networks.flatMap((network) => (network.deposits === undefined ? [] : [[network.name, addressesOf(network)]])))
  }

  /** throws  SignerRefused NO_ADDRESSES */
  at(network: string, place: number): string {
    const address = this.#addresses.get(network)?.(place)
    if (address === undefined) throw new SignerRefused('NO_ADDRESSES')
    return address
  }

  /** The address of a place, and the signature that it is this customer's, as hex. throws  SignerRefused NO_ADDRESSES */
  issue(about: { readonly network: string; readonly place: number; readonly uid: string }) {
    const { network, place, uid } = about
    const address = this.at(network, place)
    const signature = sign(null, Buffer.from(depositAddressText({ network, address, uid })), this.#key).toString('hex')
    return { address, signature }
  }
}

/** The address at each place of a network. throws  Error when the policy names none */
function addressesOf({ chainId, deposits }: Plan): (place: number) => string {
  if (deposits === undefined) throw new Error('no deposit addresses')
  if ('factory' in deposits) {
    const factory = addressOf(deposits.factory)
    return (place) => forwarderAddress({ chainId, factory }, place)
  }
  const addresses = new TronAddresses(deposits.xpub)
  return (place) => addresses.at(place)
}
