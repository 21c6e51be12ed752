import type { Units } from '../../money/brand.ts'
import type { AssetId } from '../../protocol/ids.ts'
import { ENDOWMENT } from '../../ledger/reasons.ts'
import { SYSTEM_ACCOUNT, SYSTEM_AMOUNT, SYSTEM_ASSET } from '../../protocol/codec/layout.ts'
import { systemAccounts } from '../../protocol/account.ts'
import { PRODUCTION } from '../state/mode.ts'
import type { Handler } from '../state/handler.ts'

/** `funds.system`: sandbox money into a fund of the exchange. */
export const fundSystem: Handler = (x, data, start) => {
  const { ledger } = x
  const asset = data[start + SYSTEM_ASSET] as AssetId
  const amount = data[start + SYSTEM_AMOUNT] as Units
  if (x.mode === PRODUCTION) return 'SANDBOX_ONLY'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  if (amount > ledger.issuable(asset)) return 'SUPPLY_EXCEEDED'
  const row = ledger.systemRow(systemAccounts[data[start + SYSTEM_ACCOUNT]!]!, asset)
  ledger.issue(ledger.systemRow('outside:sandbox', asset), row, asset, amount, ENDOWMENT)
  return undefined
}
