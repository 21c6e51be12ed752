import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { depositAddressText } from '@candor/core/proof/deposit-address.ts'
import { type Forwarders, forwarderAddress } from './forwarder.ts'
import { TronAddresses } from './tron.ts'

/** How the addresses of a network come about. Only public values. */
export type AddressPlan = ({ readonly kind: 'evm' } & Forwarders) | { readonly kind: 'tron'; readonly xpub: string }

/** Number of an address in its network's plan, from 1. */
export type Issue = { readonly network: string; readonly place: number; readonly uid: string }
export type Issued = { readonly address: string; readonly signature: Uint8Array<ArrayBuffer> }

/**
 * Signs deposit addresses. It computes each address itself: a server that was broken into can't have an address of somebody else
 * signed as one of ours.
 */
export type WalletService = { issue(about: Issue): Promise<Issued> }

/** The address at each place of a network. */
export function addressesOf(plan: AddressPlan): (place: number) => string {
  if (plan.kind === 'evm') return (place) => forwarderAddress(plan, place)
  const addresses = new TronAddresses(plan.xpub)
  return (place) => addresses.at(place)
}

/** A wallet service with its key in this process: for the signer's process, and for the sandbox. */
export class LocalWallet implements WalletService {
  readonly #key: KeyObject
  readonly #addresses: ReadonlyMap<string, (place: number) => string>

  /** key: Ed25519, PKCS#8 in PEM */
  constructor(key: string, plans: Readonly<Record<string, AddressPlan>>) {
    this.#key = createPrivateKey(key)
    this.#addresses = new Map(Object.entries(plans).map(([network, plan]) => [network, addressesOf(plan)]))
  }

  /** The key by which browsers and the deposit machine check its signatures: 32 bytes. */
  get publicKey(): Uint8Array<ArrayBuffer> {
    const { x } = createPublicKey(this.#key).export({ format: 'jwk' })
    return Uint8Array.from(Buffer.from(x!, 'base64url'))
  }

  /** throws  Error for a network without a plan */
  async issue({ network, place, uid }: Issue): Promise<Issued> {
    const address = this.#addresses.get(network)?.(place)
    if (address === undefined) throw new Error(`${network} has no deposit addresses`)
    return { address, signature: Uint8Array.from(sign(null, Buffer.from(depositAddressText({ network, address, uid })), this.#key)) }
  }
}
