import { plain } from '../../../money/test/plain.ts'
import type { PerpEvent } from '../../event/perp.ts'
import * as perpWriters from '../perp-write.ts'
import type { Cases } from './cases.ts'

const perp = plain(perpWriters)

const position = {
  id: 7,
  user: 3,
  market: 13,
  side: 2,
  mode: 1,
  leverage: 10,
  lots: -5,
  cost: 500,
  margin: 50,
  realised: -4,
  fees: 3,
  funding: -2,
  openedAtMs: 1_700_000_000_000,
  openedLots: 9n,
  openedValue: 2n ** 60n + 900n,
  closedLots: 4n,
  closedValue: 396n,
}

const funded = { market: 13, rate: 100_000, mark: 674_125, paid: 12, received: 10, rest: 2, at: 1_700_006_400_000 }
const fundingPaid = { user: 3, market: 13, position: 7, lots: -5, rate: 100_000, amount: 6 }
const deleveraged = { market: 13, price: 99, lots: 5, bankruptUser: 3, user: 4, position: 8 }

export const perpEvents: Cases<PerpEvent['type']> = {
  'perp.marked': {
    put: (into) => perp.writePerpMarked(into, 13, 674_125, 6_741_250_000_000, -1500, 1_700_006_400_000),
    event: { market: 13, mark: 674_125, index: 6_741_250_000_000, fundingRate: -1500, fundingAt: 1_700_006_400_000 },
  },
  'perp.settings': {
    put: (into) => perp.writePerpSettings(into, 3, 13, 10, 1, true),
    event: { user: 3, market: 13, leverage: 10, mode: 'isolated', isHedge: true },
  },
  'perp.position': {
    put: (into) => perp.writePosition(into, position, 130),
    event: {
      position: 7,
      user: 3,
      market: 13,
      side: 'short',
      mode: 'isolated',
      leverage: 10,
      lots: -5,
      cost: 500,
      margin: 50,
      liquidationPrice: 130,
      realised: -4,
      fees: 3,
      funding: -2,
      openedAt: 1_700_000_000_000,
    },
  },
  'perp.closed': {
    put: (into) => perp.writePositionClosed(into, position, 1, 2, 1_700_000_000_009),
    event: {
      position: 7,
      user: 3,
      market: 13,
      side: 'sell',
      mode: 'isolated',
      leverage: 10,
      openedLots: 9n,
      openedValue: 2n ** 60n + 900n,
      closedLots: 4n,
      closedValue: 396n,
      realised: -4,
      fees: 3,
      funding: -2,
      cause: 'deleverage',
      openedAt: 1_700_000_000_000,
      closedAt: 1_700_000_000_009,
    },
  },
  'perp.fundingDue': {
    put: (into) => perp.writeFundingDue(into, 13, -100_000, 674_125, 1_700_006_400_000),
    event: { market: 13, rate: -100_000, mark: 674_125, at: 1_700_006_400_000 },
  },
  'perp.funded': {
    put: (into) => perp.writeFunded(into, funded),
    event: funded,
  },
  'perp.fundingPaid': {
    put: (into) => perp.writeFundingPaid(into, fundingPaid),
    event: fundingPaid,
  },
  'perp.liquidated': {
    put(into) {
      const step = { user: 3, market: 13, position: 7, order: 9, mark: 100, index: 101, equity: 4, maintenance: 5 }
      perp.writeLiquidated(into, { ...step, maintenancePpm: 6, askedLots: 7, closedLots: 8, bankruptcyPrice: 99, fee: 1, insured: 2 })
    },
    event: {
      user: 3,
      market: 13,
      position: 7,
      order: 9,
      mark: 100,
      index: 101,
      equity: 4,
      maintenance: 5,
      maintenancePpm: 6,
      askedLots: 7,
      closedLots: 8,
      bankruptcyPrice: 99,
      fee: 1,
      insured: 2,
    },
  },
  'perp.deleveraged': {
    put: (into) => perp.writeDeleveraged(into, deleveraged),
    event: deleveraged,
  },
  'perp.takenOver': {
    put: (into) => perp.writeTakenOver(into, 13, 99, 5, 3, 8),
    event: { market: 13, price: 99, lots: 5, user: 3, position: 8 },
  },
  'perp.inventory': { put: (into) => perp.writePerpInventory(into, 13, -5, 495), event: { market: 13, lots: -5, cost: 495 } },
  'perp.level': {
    put: (into) => perp.writePerpLevel(into, 3, 13, 7, 1),
    event: { user: 3, market: 13, position: 7, state: 'watch' },
  },
  'perp.phase': { put: (into) => perp.writePerpPhase(into, 13, 2), event: { market: 13, phase: 'reducing' } },
  'perp.tierChanged': { put: (into) => perp.writePerpTierChanged(into, 5, 2), event: { user: 5, tier: 2 } },
}
