import type { AssetId } from '../../protocol/ids.ts'
import type { ListAsset } from '../../protocol/command/market.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeAssetListed } from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'

const symbolPattern = /^[A-Z0-9]{2,10}$/
/** With more decimals, the largest supply would be a handful of coins. */
const scaleMax = 12

/** `asset.list`: assigns the next asset number. */
export function listAsset(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { symbol, scale } = decodeCommand(data, start).command as ListAsset
  if (!symbolPattern.test(symbol) || scale < 0 || scale > scaleMax) return 'FIELD_INVALID'
  if (x.assets.some((asset) => asset.symbol === symbol)) return 'ASSET_EXISTS'
  if (x.assets.length >= x.room.assets) return 'EXCHANGE_FULL'
  const asset = { id: (x.assets.length + 1) as AssetId, symbol, scale }
  x.addAsset(asset)
  writeAssetListed(x.events, asset)
  return undefined
}
