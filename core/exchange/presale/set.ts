import type { Units } from '../../money/brand.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writePresaleSet } from '../../protocol/codec/presale/write.ts'
import type { PresaleTerms, SetPresale } from '../../protocol/command/presale.ts'
import { wrongPresaleTerm } from '../../risk/presale.ts'
import type { Handler } from '../state/handler.ts'
import type { State } from '../state/state.ts'
import { Presale, presalesMax } from './records/state.ts'
import { tokensRow } from './rows.ts'

const numberMax = 2 ** 31

/** `presale.set`: opens a presale, or replaces the terms of one that has not begun. The tokens on sale are held from here on. */
export const setPresale: Handler = (x, data, start) => {
  const { presale: number, terms } = decodeCommand(data, start).command as SetPresale
  const { presales, over } = x.presale
  const known = presales.get(number)
  if (!(number > 0 && number <= numberMax) || wrongPresaleTerm(terms) !== undefined) return 'FIELD_INVALID'
  if (!x.isAsset(terms.token) || terms.pay !== x.usdt || terms.token === x.usdt) return 'ASSET_UNKNOWN'
  if (over.has(number) || (known !== undefined && known.terms.startsAt <= x.atMs)) return 'PRESALE_STATE'
  if (terms.endsAt <= x.atMs) return 'PRESALE_STATE'
  if (known === undefined && presales.size >= presalesMax) return 'EXCHANGE_FULL'
  if (heldFor(x, known?.terms, terms) < terms.supply) return 'PRESALE_SUPPLY'

  if (known !== undefined) x.ledger.release(tokensRow(x, known.terms.token), known.terms.supply)
  x.ledger.hold(tokensRow(x, terms.token), terms.supply)
  if (known === undefined) presales.set(number, new Presale(number, terms))
  else known.terms = terms
  writePresaleSet(x.events, { presale: number, terms })
  return undefined
}

/** Token units that the new terms can promise: what no presale promises, and what the terms before them did. */
function heldFor(x: State, before: PresaleTerms | undefined, { token }: PresaleTerms): Units {
  const own = before?.token === token ? before.supply : 0
  return (x.ledger.available(tokensRow(x, token)) + own) as Units
}
