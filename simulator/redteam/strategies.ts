import { dustShield, dustShieldMargin } from './agents/dust-shield.ts'
import { idFlood, pullBids, triggerFlood, washVolume } from './agents/floods.ts'
import { guardVoids, venueReturn } from './agents/second.ts'
import { halt } from './agents/halts.ts'
import { marginPut } from './agents/margin-put.ts'
import { slippageSandwich } from './agents/sandwich.ts'
import { delevHunt, inventorySqueeze } from './agents/squeezes.ts'
import { staleOpening } from './agents/stale-opening.ts'
import { dustMark, fundingDodge, premiumSweep } from './agents/thin-books.ts'
import { takenOver } from './agents/taken-over.ts'
import type { Stage } from './stage.ts'

/** One way to try to take money: `rule` names the rule of the specification that should stop it. */
export type Strategy = { readonly name: string; readonly rule: string; readonly play: (stage: Stage) => void }

/** Each is played alone, and in `combination` two of them after each other on one exchange. */
const single: readonly Strategy[] = [
  { name: 'stale opening', rule: 'a price that is not good opens nothing', play: staleOpening },
  { name: 'dust shield', rule: 'one bad price never shields the rest', play: dustShield },
  { name: 'dust shield on margin', rule: 'what has no index is no collateral', play: dustShieldMargin },
  { name: 'margin put', rule: 'nothing gets riskier at a price that is lost', play: marginPut },
  { name: 'slippage sandwich', rule: 'orders are checked at their worst price', play: slippageSandwich },
  { name: 'halt', rule: 'a halted market does nothing', play: halt },
  { name: 'deleveraging hunt', rule: 'the fund takes over before winners are closed', play: delevHunt },
  { name: 'inventory squeeze', rule: 'the fund works its inventory off within bounds', play: inventorySqueeze },
  { name: 'taken over', rule: 'the fund trades beside the index alone', play: takenOver },
  { name: 'funding dodge', rule: 'funding is paid from all that the account has', play: fundingDodge },
  { name: 'dust mark', rule: 'the mark comes from impact prices', play: dustMark },
  { name: 'premium sweep', rule: 'the premium is weighted by time and depth', play: premiumSweep },
  { name: 'trigger flood', rule: 'sleeping orders hold money', play: triggerFlood },
  { name: 'pull the bids', rule: 'stops sell at their protection price or wait', play: pullBids },
  { name: 'venue return', rule: 'a venue that leaves or returns makes no step', play: venueReturn },
  { name: 'guard voids', rule: 'voids by the own guard are few', play: guardVoids },
  { name: 'wash volume', rule: 'trades with oneself count for nothing', play: washVolume },
  { name: 'id flood', rule: 'each customer has a memory of client ids', play: idFlood },
]

function combination(stage: Stage): void {
  for (let n = 0; n < 2; n++) stage.random.pick(single).play(stage)
}

export const strategies: readonly Strategy[] = [...single, { name: 'combination', rule: 'all of them', play: combination }]
