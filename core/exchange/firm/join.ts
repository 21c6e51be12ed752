import { FIRM_MAIN } from '../../protocol/codec/firm/layout.ts'
import { USER } from '../../protocol/codec/layout.ts'
import { readUserId } from '../../protocol/codec/slots.ts'
import { writeFirmJoined } from '../../protocol/codec/firm/write.ts'
import type { Handler } from '../state/handler.ts'
import { setFloors } from './terms.ts'

/**
 * `firm.join`: an account joins the firm of a main account, or begins a firm as its main account. Only an account without money and
 * without an inviter joins: nobody's own account can be taken into a firm. A repeat has no effect.
 */
export const joinFirm: Handler = (x, data, start) => {
  const { firm, ledger } = x
  const [user, main] = [readUserId(data, start + USER), readUserId(data, start + FIRM_MAIN)]
  if (firm.mainOf(user) === main && main !== 0) return undefined
  if (x.isHouse(user) || x.isStaff(user) || x.isInvited(user) || ledger.accountsOfUser(user).length > 0) return 'FORBIDDEN'
  if (firm.mainOf(user) !== 0) return 'FIRM_JOINED'
  if (main !== user && firm.mainOf(main) !== main) return 'FIRM_UNKNOWN'
  firm.join(user, main)
  const terms = firm.termsOf(user)
  if (terms !== undefined) setFloors(x, user, terms.tier)
  writeFirmJoined(x.events, user, main)
  return undefined
}
