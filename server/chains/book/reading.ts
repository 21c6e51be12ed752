import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireNewWithdrawalAddress } from '@candor/core/protocol/wire/addresses.ts'
import { type AddressFault, readAddress } from '@candor/core/risk/addresses.ts'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { Refused } from '../../refused.ts'
import type { NetworkTerms } from '../networks.ts'

const refusalOf: Readonly<Record<AddressFault, Refusal>> = {
  invalid: 'ADDRESS_INVALID',
  checksum: 'ADDRESS_CHECKSUM',
  'other-network': 'ADDRESS_OTHER_NETWORK',
  keyless: 'ADDRESS_KEYLESS',
}

/** An address that may be added, as far as its text says. */
export type FreshAddress = {
  readonly network: NetworkTerms
  readonly address: string
  readonly label: string
} & (
  | { readonly owner: 'own'; readonly exchange: null; readonly beneficiary: null }
  | { readonly owner: 'exchange'; readonly exchange: string; readonly beneficiary: string }
)

/**
 * Reads what a customer entered.
 *
 * throws  Refused NETWORK_UNKNOWN, ADDRESS_INVALID, ADDRESS_CHECKSUM, ADDRESS_OTHER_NETWORK, ADDRESS_KEYLESS, FIELD_MISSING,
 *         FIELD_INVALID
 */
export function readNewAddress(given: WireNewWithdrawalAddress, networks: readonly NetworkTerms[]): FreshAddress {
  const network = networks.find(({ name }) => name === given.network)
  if (network === undefined) throw new Refused('NETWORK_UNKNOWN', { field: 'network' })
  const address = readText(given.address, network.kind)
  if (isContract(address, networks)) throw new Refused('ADDRESS_KEYLESS', { field: 'address' })
  const parts = { network, address, label: tidied(given.label) }
  const { owner, exchange, beneficiary } = given
  if (owner === 'own') {
    if (exchange !== undefined) throw new Refused('FIELD_INVALID', { field: 'exchange' })
    if (beneficiary !== undefined) throw new Refused('FIELD_INVALID', { field: 'beneficiary' })
    return { ...parts, owner, exchange: null, beneficiary: null }
  }
  if (exchange === undefined) throw new Refused('FIELD_MISSING', { field: 'exchange' })
  if (beneficiary === undefined) throw new Refused('FIELD_MISSING', { field: 'beneficiary' })
  return { ...parts, owner, exchange: tidied(exchange), beneficiary: tidied(beneficiary) }
}

/**
 * An address in the form in which it is stored.
 *
 * throws  Refused ADDRESS_INVALID, ADDRESS_CHECKSUM, ADDRESS_OTHER_NETWORK, ADDRESS_KEYLESS
 */
export function readText(text: string, kind: NetworkTerms['kind']): string {
  const { address, fault } = readAddress(text, kind, keccak_256) as { address: string; fault?: AddressFault }
  if (fault !== undefined) throw new Refused(refusalOf[fault], { field: 'address' })
  return address
}

/** A name without spaces at its ends, and in one form of Unicode. */
export function tidied(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ')
}

/** Whether a contract of a token has this address. Coins that are sent to one are lost. */
function isContract(address: string, networks: readonly NetworkTerms[]): boolean {
  const plain = (text: string): string => (text.startsWith('0x') ? text.toLowerCase() : text)
  return networks.some(({ tokens }) => tokens.some(({ contract }) => contract !== undefined && plain(contract) === plain(address)))
}
