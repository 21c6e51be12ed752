import { conversionLoop, hedgerFront, staleQuote } from './agents/conversions.ts'
import { draggedOrders, futuresWash } from './agents/dragged.ts'
import { dustShield, dustShieldMargin } from './agents/dust-shield.ts'
import { fastMarket } from './agents/fast-market.ts'
import { fundedFlood, idFlood, pullBids, triggerFlood, washPair, washVolume } from './agents/floods.ts'
import { guardVoids, venueReturn } from './agents/second.ts'
import { firmShield, firmWash } from './agents/firm.ts'
import { halt } from './agents/halts.ts'
import { marginPut } from './agents/margin-put.ts'
import { ownExits } from './agents/own-exits.ts'
import { partsFlood, partsReopening, partsSandwich, partsWash } from './agents/parts.ts'
import { referralFarm } from './agents/referral-farm.ts'
import { slippageSandwich } from './agents/sandwich.ts'
import { delevHunt, inventorySqueeze } from './agents/squeezes.ts'
import { staleOpening } from './agents/stale-opening.ts'
import { dustMark, fundingDodge, premiumSweep } from './agents/thin-books.ts'
import { takenOver } from './agents/taken-over.ts'
import { turnover } from './agents/turnover.ts'
import type { Stage } from './stage.ts'

/** One attempt to take money. `rule`: the rule that should stop it, as printed in `docs/redteam.md`. */
export type Strategy = { readonly name: string; readonly rule: string; readonly play: (stage: Stage) => void }

/** Each strategy is played alone. `combination` plays two of them, one after the other, on one exchange. */
const single: readonly Strategy[] = [
  { name: 'stale opening', rule: 'no position opens while the index price is bad', play: staleOpening },
  { name: 'dust shield', rule: 'a bad index price of one coin does not stop the liquidation of the others', play: dustShield },
  { name: 'dust shield on margin', rule: 'a coin without an index price is not collateral', play: dustShieldMargin },
  { name: 'margin put', rule: 'no account can take more risk while an index price is bad', play: marginPut },
  { name: 'slippage sandwich', rule: 'margin orders are checked at their worst possible price', play: slippageSandwich },
  { name: 'halt', rule: 'a halted market neither liquidates nor triggers stops', play: halt },
  { name: 'deleveraging hunt', rule: 'the insurance fund takes positions over before winners are closed', play: delevHunt },
  { name: 'inventory squeeze', rule: 'the insurance fund closes its inventory within price and volume limits', play: inventorySqueeze },
  { name: 'taken over', rule: 'the insurance fund trades only close to the index price', play: takenOver },
  { name: 'funding dodge', rule: 'funding is paid from the whole account', play: fundingDodge },
  { name: 'dust mark', rule: 'the mark price uses impact prices, which small orders do not move', play: dustMark },
  { name: 'premium sweep', rule: 'the premium is an average over time, at impact prices', play: premiumSweep },
  { name: 'trigger flood', rule: 'conditional orders hold their cost', play: triggerFlood },
  { name: 'funded flood', rule: 'waiting orders are limited for each customer, and markets take turns', play: fundedFlood },
  { name: 'pull the bids', rule: 'a triggered stop sells no lower than its protection price', play: pullBids },
  { name: 'fast market', rule: 'protection prices follow a good index price, not an average', play: fastMarket },
  { name: 'venue return', rule: 'the index does not jump when a venue leaves or returns', play: venueReturn },
  { name: 'guard voids', rule: 'price protection voids only a few orders per day', play: guardVoids },
  { name: 'wash volume', rule: 'trades with oneself do not count for fee tiers', play: washVolume },
  { name: 'wash between accounts', rule: 'both sides of a trade pay more in fees than their tier saves', play: washPair },
  { name: 'referral farm', rule: 'both shares of the commission together are at most half of a fee', play: referralFarm },
  { name: 'turnover', rule: 'today’s trades, open orders and the new order together stay below the limit', play: turnover },
  { name: 'conversion loop', rule: 'each conversion costs the spread, between any two coins', play: conversionLoop },
  { name: 'stale quote', rule: 'a conversion ends when the index has moved further than the spread covers', play: staleQuote },
  { name: 'hedger front', rule: 'the hedger pays less above the index than conversions bring', play: hedgerFront },
  { name: 'id flood', rule: 'client ids are remembered for each customer separately', play: idFlood },
  { name: 'parts sandwich', rule: 'parts without a worst price trade close to the index price', play: partsSandwich },
  { name: 'parts wash', rule: 'parts pay the fees of orders, and don’t trade with one’s own', play: partsWash },
  { name: 'parts flood', rule: 'a clock tick has at most eight parts, and ends after many trades', play: partsFlood },
  { name: 'parts at reopening', rule: 'after a halt, parts keep their distance and follow the new price', play: partsReopening },
]

/** Played alone only: firms stay behind, and one is enough; exits halt a market again and again. */
const alone: readonly Strategy[] = [
  { name: 'dragged orders', rule: 'an order that is moved or grows goes behind the others of its price', play: draggedOrders },
  { name: 'futures wash', rule: 'a fee tier of Futures costs more than it saves, even with half of the fees back', play: futuresWash },
  { name: 'own exits', rule: 'exits only reduce, and end with their position', play: ownExits },
  { name: 'firm wash', rule: 'trades within a firm cost the fees of both sides', play: firmWash },
  { name: 'firm shield', rule: 'a winner is closed at the price at which the loser has nothing left', play: firmShield },
]

function combination(stage: Stage): void {
  for (let n = 0; n < 2; n++) stage.random.pick(single).play(stage)
}

export const strategies: readonly Strategy[] = [
  ...single,
  ...alone,
  { name: 'combination', rule: 'the rules above together', play: combination },
]
