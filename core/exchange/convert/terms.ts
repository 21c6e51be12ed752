import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeConvertTermsChanged } from '../../protocol/codec/convert/write.ts'
import type { SetConvertTerms } from '../../protocol/command/convert.ts'
import { areConvertTermsValid } from '../../risk/convert.ts'
import type { Handler } from '../state/handler.ts'

/**
 * `convert.setTerms`: terms of the quotes from now on. Limits of the new terms also hold for open quotes when they are accepted. The hedger
 * must be an account of the house.
 */
export const setConvertTerms: Handler = (x, data, start) => {
  const { terms } = decodeCommand(data, start).command as SetConvertTerms
  if (!areConvertTermsValid(terms)) return 'FIELD_INVALID'
  if (terms.hedger !== 0 && !x.isUser(terms.hedger)) return 'USER_UNKNOWN'
  // Its trades with the other programs of the house must add no volume.
  if (terms.hedger !== 0 && !x.isHouse(terms.hedger)) return 'FORBIDDEN'
  if (!terms.shelves.every(({ asset }) => x.isAsset(asset) && (asset === x.usdt || x.usdtVenues[asset] !== undefined)))
    return 'ASSET_UNKNOWN'

  x.convert.terms = terms
  writeConvertTermsChanged(x.events, terms)
  return undefined
}
