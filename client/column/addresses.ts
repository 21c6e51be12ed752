/** The addresses to which the user withdraws. */
import type {
  WireNewWithdrawalAddress,
  WireWithdrawalAddress,
  WireWithdrawalAddressName,
  WireWithdrawalList,
} from '@candor/core/protocol/wire/addresses.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

/** The list, the networks, and whether addresses can be added. */
export function list(http: Http, options?: CallOptions): Promise<WireWithdrawalList> {
  return http('GET', '/withdrawal-addresses', options)
}

/** Adds an address, which can be used after 24 hours. Needs a proof. */
export function add(http: Http, body: WireNewWithdrawalAddress, options?: CallOptions): Promise<WireWithdrawalAddress> {
  return http('POST', '/withdrawal-addresses', { ...options, body })
}

/** Changes the name of an address. */
export function rename(http: Http, id: string, body: WireWithdrawalAddressName, options?: CallOptions): Promise<WireWithdrawalAddress> {
  return http('PATCH', `/withdrawal-addresses/${segment(id)}`, { ...options, body })
}

/** Removes an address at once. */
export function remove(http: Http, id: string, options?: CallOptions): Promise<void> {
  return http('DELETE', `/withdrawal-addresses/${segment(id)}`, options)
}
