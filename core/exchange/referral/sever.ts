import { writeReferralSevered } from '../../protocol/codec/referral/write.ts'
import { REFERRAL_REASON, USER } from '../../protocol/codec/layout.ts'
import { readUserId } from '../../protocol/codec/slots.ts'
import { wordOf } from '../../protocol/codec/fields.ts'
import { severReasons } from '../../protocol/command/referral.ts'
import type { Handler } from '../state/handler.ts'
import { inviterOf } from './pay.ts'

/** `referral.sever`: ends a user's bond for good. What was paid stays paid. Without a bond it changes nothing. */
export const severReferral: Handler = (x, data, start) => {
  const user = readUserId(data, start + USER)
  const inviter = inviterOf(x, user)
  if (inviter === 0) return undefined
  x.setInvited(user, false)
  x.referral.openedAt.delete(user)
  writeReferralSevered(x.events, user, inviter, wordOf(severReasons, data[start + REFERRAL_REASON]!))
  return undefined
}
