import { randomUUID } from 'node:crypto'
import { clientIdPattern } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { Refused } from '../../refused.ts'
import type { Listing } from '../../live/listing.ts'
import { ApiError } from '../errors.ts'
import * as param from '../params.ts'

export const assetName = param.text(/^[A-Z0-9]{1,20}$/)
/** A positive plain decimal. The number of digits is checked where the asset is known. */
export const amount = param.text(/^[0-9]{1,20}(\.[0-9]{1,20})?$/)
export const clientTranId = param.text(clientIdPattern)

/** Pages count from 1; the newest rows are on the first. */
export const page = {
  startTime: param.millis,
  endTime: param.millis,
  current: param.withDefault(param.integer(1, 10_000), 1),
  size: param.limit(10, 100),
}

export type Page = {
  readonly startTime: number | undefined
  readonly endTime: number | undefined
  readonly current: number
  readonly size: number
}

/** A fresh id for a request that came without one: it is different each time. */
export const freshId = (): string => `x-${randomUUID().replaceAll('-', '')}`

/** throws  ApiError -1108 */
export function walletAsset(listing: Listing, name: string): Asset {
  return namedAsset(listing, name, new ApiError(-1108, 'Invalid asset.'))
}

/** throws  ApiError -3027 */
export function marginAsset(listing: Listing, name: string): Asset {
  return namedAsset(listing, name, notMarginAsset())
}

export const notMarginAsset = () => new ApiError(-3027, 'Not a valid margin asset.')

function namedAsset(listing: Listing, name: string, unknown: ApiError): Asset {
  try {
    return listing.assetNamed(name)
  } catch (error) {
    if (error instanceof Refused) throw unknown
    throw error
  }
}

/** Clients recognize a lack of money by this message, whatever the code. */
export const insufficient = 'Account has insufficient balance for requested action.'

/** Code and message of refusals for which clients know their own. */
export type ClientErrors = Partial<Record<Refusal, readonly [code: number, msg: string]>>

/** Awaits `run`, and throws its refusals with the codes and messages of `clientErrors`. throws  ApiError, or the original error */
export async function withClientErrors<T>(clientErrors: ClientErrors, run: Promise<T>): Promise<T> {
  try {
    return await run
  } catch (error) {
    const said = error instanceof Refused ? clientErrors[error.refusal] : undefined
    throw said === undefined ? error : new ApiError(...said)
  }
}
