/** The withdrawal list of a customer: the only addresses to which withdrawals go. */
import type { WireNetwork } from './chains.ts'
import type { WireAllowList } from './safety.ts'

/** Whose the address is: the customer's own wallet, or an account at another exchange. */
export const addressOwners = ['own', 'exchange'] as const
export type AddressOwner = (typeof addressOwners)[number]

/** `exchange`: its name. `beneficiary`: full name of the person whose account it is there. */
export type WireAddressOwner =
  | { readonly owner: 'own' }
  | { readonly owner: 'exchange'; readonly exchange: string; readonly beneficiary: string }

/** `address`: as the network writes it. `usableAt`: no withdrawal goes there before. */
export type WireWithdrawalAddress = {
  readonly id: string
  readonly network: string
  readonly address: string
  readonly label: string
  readonly owner: AddressOwner
  readonly exchange?: string
  readonly beneficiary?: string
  readonly addedAt: number
  readonly usableAt: number
  /** Withdrawals that were asked for to this address, and the time of the last one. */
  readonly uses: number
  readonly lastUsedAt?: number
}

/** An address that was on the list. */
export type WirePastAddress = Pick<WireWithdrawalAddress, 'network' | 'address' | 'label'>

/**
 * `past`: the newest that were removed. `max`: most addresses of an account. `waitMs`: how long a new address waits. `lock`: while it is
 * on, no address is added.
 */
export type WireWithdrawalList = {
  readonly addresses: readonly WireWithdrawalAddress[]
  readonly past: readonly WirePastAddress[]
  readonly networks: readonly WireNetwork[]
  readonly max: number
  readonly waitMs: number
  readonly lock: WireAllowList
}

/** `middle`: the eight characters in its middle, typed by the customer if the address looks like another one of the list. */
export type WireNewWithdrawalAddress = {
  readonly network: string
  readonly address: string
  readonly label: string
  readonly owner: AddressOwner
  readonly exchange?: string
  readonly beneficiary?: string
  readonly middle?: string
}

export type WireWithdrawalAddressName = { readonly label: string }
