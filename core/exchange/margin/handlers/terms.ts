import type { SetMarginTerms } from '../../../protocol/command/margin.ts'
import { decodeCommand } from '../../../protocol/codec/command.ts'
import { writeMarginTermsChanged } from '../../../protocol/codec/margin-write.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { areMarginTermsValid } from '../../../risk/margin-terms.ts'
import type { State } from '../../state/state.ts'
import { tellPools } from '../loans/pool.ts'
import { reviewAll } from '../loans/review.ts'
import { MOVED_ALL } from '../records/state.ts'

/**
 * `margin.setTerms`: applies to existing loans too, but not to interest already charged. When closed, nothing new can be
 * borrowed, placed or supplied; repaying, moving out and withdrawing stay possible.
 */
export function setMarginTerms(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { terms } = decodeCommand(data, start).command as SetMarginTerms
  if (!areMarginTermsValid(terms)) return 'FIELD_INVALID'
  x.margin.terms = terms
  writeMarginTermsChanged(x.events, terms)
  for (const pool of x.margin.pools) if (pool !== undefined) x.margin.touched.add(pool)
  x.margin.moved += MOVED_ALL
  reviewAll(x)
  tellPools(x)
  return undefined
}
