import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeReferralTermsChanged } from '../../protocol/codec/referral/write.ts'
import type { SetReferralTerms } from '../../protocol/command/referral.ts'
import { areReferralTermsValid } from '../../risk/referral.ts'
import type { Handler } from '../state/handler.ts'

/** `referral.setTerms`: terms of all trades from now on. */
export const setReferralTerms: Handler = (x, data, start) => {
  const { terms } = decodeCommand(data, start).command as SetReferralTerms
  if (!areReferralTermsValid(terms)) return 'FIELD_INVALID'
  x.referral.setTerms(terms)
  writeReferralTermsChanged(x.events, terms)
  return undefined
}
