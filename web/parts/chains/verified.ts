/** The check of a deposit address on this device, before anybody sees it. */
import { depositAddressText, walletKeyChangeText } from '@candor/core/proof/deposit-address.ts'
import type { WireChains, WireDepositAddress } from '@candor/core/protocol/wire/chains.ts'
import { isSigned } from '../proof/signed.ts'

/** The address does not have the wallet service's signature for this customer and network. */
export class AddressUnsigned extends Error {
  override readonly name = 'AddressUnsigned'
}

/** The key of the wallet service is another one than this device knows, and the known one does not vouch for it. */
export class WalletKeyChanged extends Error {
  override readonly name = 'WalletKeyChanged'
}

/** Where the key is kept that this device saw first, one for each exchange: browsers keep the data of hosts apart. */
const place = 'wallet-key'

/**
 * The key of the wallet service, if it is the one that this device knows, or follows on it by changes that are signed with the one before.
 * A device that knows none keeps this one: from then on nobody who only has the servers can have it take false addresses.
 *
 * throws  WalletKeyChanged
 */
export async function knownKey(walletKey: string, changes: WireChains['walletKeyChanges']): Promise<string> {
  let key = kept() ?? walletKey
  for (const change of changes)
    if (change.from === key && (await isSigned(key, walletKeyChangeText(change), change.signature))) key = change.to
  if (key !== walletKey) throw new WalletKeyChanged('the key of the wallet service is another one')
  try {
    localStorage.setItem(place, key)
  } catch {}
  return key
}

function kept(): string | undefined {
  try {
    return localStorage.getItem(place) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * The address, if the wallet service has signed it for this customer on this network.
 *
 * walletKey  Ed25519, 32 bytes in hex
 *
 * throws  AddressUnsigned
 */
export async function verified(
  given: WireDepositAddress,
  asked: { readonly network: string; readonly uid: string; readonly walletKey: string },
): Promise<string> {
  const { network, uid, walletKey } = asked
  const isOurs = given.network === network && given.uid === uid
  if (!isOurs || !(await isSigned(walletKey, depositAddressText(given), given.signature)))
    throw new AddressUnsigned('a deposit address is not signed')
  return given.address
}
