import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import { ApiError, badCombination, invalid, missing } from '../errors.ts'
import type { Names } from '../names.ts'

/** Accounts by the words that programs know. */
const accounts: Readonly<Record<string, AccountKind>> = {
  MAIN: 'spot',
  UMFUTURE: 'perp',
  MARGIN: 'margin-cross',
  ISOLATED_MARGIN: 'margin-isolated',
  ISOLATEDMARGIN: 'margin-isolated',
  OPTION: 'option',
}

/** Accounts that clients know and this exchange does not have. */
const absent: ReadonlySet<string> = new Set(['FUNDING', 'CMFUTURE', 'PORTFOLIO_MARGIN'])

/** Source and target of a transfer. `market`: of the isolated account, if one of the two is isolated. */
export type TransferEnds = {
  readonly from: AccountKind
  readonly to: AccountKind
  readonly market: MarketId | undefined
}

/**
 * Source and target of a transfer type such as MAIN_MARGIN.
 *
 * throws  ApiError -1130 for an unknown type, -1020 for an account that this exchange does not have, -1102 for a missing symbol,
 *         -1128 for one that the type does not take, -1121 for an unknown one
 */
export function endsOf(names: Names, type: string, fromSymbol: string | undefined, toSymbol: string | undefined): TransferEnds {
  const [from, to] = kindsOf(type)
  if (from === 'margin-isolated' && to === 'margin-isolated') {
    throw new ApiError(-1020, 'Transfers between two isolated accounts go through MAIN.')
  }
  const [isFrom, isTo] = [from === 'margin-isolated', to === 'margin-isolated']
  if (isFrom && fromSymbol === undefined) throw missing('fromSymbol')
  if (isTo && toSymbol === undefined) throw missing('toSymbol')
  if ((!isFrom && fromSymbol !== undefined) || (!isTo && toSymbol !== undefined)) throw badCombination()
  const symbol = fromSymbol ?? toSymbol
  return { from, to, market: symbol === undefined ? undefined : names.market(symbol).market.id }
}

/** Both halves of a type. throws  ApiError -1130, -1020 */
export function kindsOf(type: string): readonly [from: AccountKind, to: AccountKind] {
  for (let at = type.indexOf('_'); at > 0; at = type.indexOf('_', at + 1)) {
    const [fromWord, toWord] = [type.slice(0, at), type.slice(at + 1)]
    const [from, to] = [accounts[fromWord], accounts[toWord]]
    if (from !== undefined && to !== undefined) {
      if (from === to && from !== 'margin-isolated') throw invalid('type')
      return [from, to]
    }
    const isKnown = (word: string) => accounts[word] !== undefined || absent.has(word)
    if (isKnown(fromWord) && isKnown(toWord)) throw noSuchAccount(absent.has(fromWord) ? fromWord : toWord)
  }
  throw invalid('type')
}

const noSuchAccount = (word: string) => new ApiError(-1020, `This operation is not supported: this exchange has no ${word} account.`)
