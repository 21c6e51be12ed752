import type { Event } from '@candor/core/protocol/event/index.ts'
import { chainTellings, convertTellings, firmTellings, presaleTellings, referralTellings } from './coin-events.ts'
import { algoTellings, orderTellings } from './order-events.ts'
import { marginTellings, optionTellings, perpTellings } from './product-events.ts'
import { own, type Tellings } from './told.ts'

/** The customer whose command it was learns its outcome: see `ReceiptProjection`. */
export const eventTellings: Tellings<Event> = {
  outcome: 'public',
  // No money yet, and no name by which anybody is known.
  'user.opened': 'house',
  'user.changed': own(({ isFrozen }) => ({ isFrozen })),
  'user.certified': own(({ isCertified }) => ({ isCertified })),
  'user.housed': 'house',
  'user.rested': own(({ until }) => ({ until })),
  'user.staffed': 'house',
  'user.tierChanged': own(({ tier }) => ({ tier })),
  'asset.listed': 'public',
  'market.listed': 'public',
  'market.changed': 'public',
  'fees.changed': 'public',
  'index.ticked': 'public',
  'book.level': 'public',
  ...orderTellings,
  ...algoTellings,
  ...chainTellings,
  ...convertTellings,
  ...marginTellings,
  ...optionTellings,
  ...perpTellings,
  ...referralTellings,
  ...presaleTellings,
  ...firmTellings,
}
