import type { Units } from '../../money/brand.ts'
import type { AssetId, UserId } from '../../protocol/ids.ts'
import { FAUCET } from '../../ledger/reasons.ts'
import { FAUCET_AMOUNT, FAUCET_ASSET, USER } from '../../protocol/codec/layout.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { PRODUCTION } from '../state/mode.ts'
import type { State } from '../state/state.ts'

/** `funds.faucet`: credits sandbox money to the spot account. The server limits how often a user may ask for it. */
export function faucet(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { ledger } = x
  const user = data[start + USER] as UserId
  const asset = data[start + FAUCET_ASSET] as AssetId
  const amount = data[start + FAUCET_AMOUNT] as Units
  if (x.mode === PRODUCTION) return 'SANDBOX_ONLY'
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  if (amount > ledger.issuable(asset)) return 'SUPPLY_EXCEEDED'
  const row = ledger.spotRow(user, asset)
  ledger.issue(ledger.systemRow('outside:sandbox', asset), row, asset, amount, FAUCET)
  return undefined
}
