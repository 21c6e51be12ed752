import type { AnchorLine } from '@candor/core/proof/chain/anchor.ts'
import type { ReserveFile } from '@candor/core/proof/chain/reserves.ts'
import type { HeadKey } from '@candor/core/proof/head-keys.ts'
import type { LiabilityProof } from '@candor/core/proof/liabilities.ts'
import type { SignedHead } from '@candor/core/proof/remembered.ts'
import type { CallOptions, Http } from '../../http.ts'

export type HeadsQuery = { readonly before?: number; readonly limit?: number }

/** Signed heads of the journal, newest first, and all keys that sign them. */
export function heads(
  http: Http,
  query: HeadsQuery = {},
  options?: CallOptions,
): Promise<{ readonly keys: readonly HeadKey[]; readonly heads: readonly SignedHead[] }> {
  return http('GET', '/proof/heads', { ...options, query: { ...query } })
}

/** Path of head `n` to the root that the later head `later` carries, in hex. */
export async function headPath(http: Http, n: number, later: number, options?: CallOptions): Promise<readonly string[]> {
  const { path } = await http<{ readonly path: readonly string[] }>('GET', `/proof/heads/${n}/path`, { ...options, query: { in: later } })
  return path
}

/** A statement of liabilities: its text, and the first head that names it. Null until there is one, within a minute. */
export function statement(
  http: Http,
  n: number,
  options?: CallOptions,
): Promise<{ readonly n: number; readonly text: string; readonly head: SignedHead | null }> {
  return http('GET', `/proof/statements/${n}`, options)
}

/** Own leaves in the newest statement that a head names. Refused with `NOT_FOUND` while there is none. */
export function liabilities(http: Http, options?: CallOptions): Promise<LiabilityProof> {
  return http('GET', '/proof/liabilities', options)
}

/** The newest statement of reserves with all that proves it. Refused with `NOT_FOUND` before the first. */
export function reserves(http: Http, options?: CallOptions): Promise<ReserveFile> {
  return http('GET', '/proof/reserves', options)
}

/** Heads of the journal in transactions of a chain, newest first. */
export async function anchors(http: Http, query: { readonly limit?: number } = {}, options?: CallOptions): Promise<readonly AnchorLine[]> {
  return (await http<{ readonly anchors: readonly AnchorLine[] }>('GET', '/proof/anchors', { ...options, query: { ...query } })).anchors
}

/** A receipt in a list. `kind`: the name of the command, or of the first event. `isPublished`: whether a head covers it yet. */
export type ListedReceipt = {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly text: string
  readonly isPublished: boolean
}

export type ReceiptsQuery = { readonly before?: number; readonly limit?: number }

/** Own receipts, newest first. */
export async function receipts(http: Http, query: ReceiptsQuery = {}, options?: CallOptions): Promise<readonly ListedReceipt[]> {
  const parts = { ...options, query: { ...query } }
  return (await http<{ readonly receipts: readonly ListedReceipt[] }>('GET', '/proof/receipts', parts)).receipts
}

/** The receipt of one command, as `checkReceipt` takes it. Refused with `NOT_FOUND` until a head covers it. */
export function receipt(http: Http, seq: number, options?: CallOptions): Promise<object> {
  return http('GET', `/proof/receipts/${seq}`, options)
}
