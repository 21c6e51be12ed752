import type {
  WireAddress,
  WireAddressRequest,
  WireAllowList,
  WireAllowListSwitch,
  WireFreezeLink,
  WirePaymentPassword,
  WireSafety,
} from '@candor/core/protocol/wire/safety.ts'
import type { WireDeletion, WireDeletionRequest } from '@candor/core/protocol/wire/deletion.ts'
import type { Channel, WireCodeSent, WireRecentAccess, WireRevoked } from '@candor/core/protocol/wire/user.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

/** Addresses and payment password of the user, and until when withdrawals are closed. */
export function mine(http: Http, options?: CallOptions): Promise<WireSafety> {
  return http('GET', '/auth/safety', options)
}

/** Sends a code to an address that the account is to have. The answer is the same if another account has it. */
export function requestAddressCode(http: Http, body: WireAddressRequest, options?: CallOptions): Promise<WireCodeSent> {
  return http('POST', '/auth/addresses/code', { ...options, body })
}

/** Adds an address, in place of the one of its kind. */
export function setAddress(http: Http, body: WireAddress, options?: CallOptions): Promise<void> {
  return http('PUT', '/auth/addresses', { ...options, body })
}

export function removeAddress(http: Http, channel: Channel, options?: CallOptions): Promise<void> {
  return http('DELETE', `/auth/addresses/${segment(channel)}`, options)
}

/** Sets the payment password, by the present one or after a proof. */
export function setPaymentPassword(http: Http, body: WirePaymentPassword, options?: CallOptions): Promise<void> {
  return http('PUT', '/auth/payment-password', { ...options, body })
}

/** Obstacles to deleting the account, and the time of its erasure if the owner has asked for it. */
export function deletion(http: Http, options?: CallOptions): Promise<WireDeletion> {
  return http('GET', '/deletion', options)
}

/** Asks for the deletion of the account: every session ends, this one too. */
export function requestDeletion(http: Http, body: WireDeletionRequest, options?: CallOptions): Promise<{ readonly dueAt: number }> {
  return http('POST', '/deletion', { ...options, body })
}

/** All stored data about the account's owner. */
export function myData(http: Http, options?: CallOptions): Promise<Readonly<Record<string, unknown>>> {
  return http('POST', '/me/data', options)
}

/** Freezes the account: every session ends, this one too. */
export function freeze(http: Http, options?: CallOptions): Promise<void> {
  return http('POST', '/auth/freeze', options)
}

/** Freezes the account by the token of a link in a message. */
export function freezeByLink(http: Http, body: WireFreezeLink, options?: CallOptions): Promise<void> {
  return http('POST', '/auth/freeze/link', { ...options, body })
}

/** Locks the withdrawal addresses at once, or unlocks them in 24 hours. */
export function setAllowList(http: Http, body: WireAllowListSwitch, options?: CallOptions): Promise<WireAllowList> {
  return http('PUT', '/auth/allow-list', { ...options, body })
}

/** Keys and webhooks created shortly before a password reset, which still work without the password. */
export function recentAccess(http: Http, options?: CallOptions): Promise<WireRecentAccess> {
  return http('GET', '/auth/recent', options)
}

/** Deletes all these keys and webhooks. */
export function revokeRecent(http: Http, options?: CallOptions): Promise<WireRevoked> {
  return http('DELETE', '/auth/recent', options)
}
