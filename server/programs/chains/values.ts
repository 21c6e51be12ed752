import { historyMax } from '../../chains/desk/terms.ts'
import { assetName } from '../funds/values.ts'
import * as param from '../params.ts'

export const networkWord = param.text(/^[A-Z0-9-]{1,32}$/)

/** Of both histories, which are newest first. */
export const historyParams = {
  coin: assetName,
  startTime: param.millis,
  endTime: param.millis,
  offset: param.withDefault(param.integer(0, 1_000_000), 0),
  limit: param.limit(historyMax, historyMax),
}
