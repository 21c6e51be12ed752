import type { Clock } from '../../ports.ts'
import type { Staff } from '../../staff/staff.ts'
import type { ConsoleScope } from '../scope.ts'
import { fileRoutes } from '../watch/files.ts'
import type { Watched } from '../watch/watched.ts'
import { riskOf, riskTables } from './read.ts'
import * as schema from './schema.ts'

export type RiskParts = { readonly watched: Watched; readonly staff: Staff; readonly clock: Clock }

/** Positions, funds and pools as they are. Of Second: sums only. */
export function riskRoutes(scope: ConsoleScope, { watched, staff, clock }: RiskParts): void {
  scope.read('/risk', { action: 'risk.read', summary: 'Positions, funds and pools', cost: 5, answer: schema.risk }, () =>
    riskOf(watched, clock),
  )
  const read = riskTables(watched, clock)
  fileRoutes(scope, staff, {
    area: 'risk',
    action: 'risk.read',
    tables: {
      markets: { row: schema.market, read: read.markets },
      largest: { row: schema.position, read: read.largest },
      closest: { row: schema.position, read: read.closest },
      liquidations: { row: schema.liquidation, read: read.liquidations },
      deleverages: { row: schema.deleverage, read: read.deleverages },
      funds: { row: schema.fund, read: read.funds },
      history: { row: schema.fundDay, read: read.history },
      pools: { row: schema.pool, read: async () => (await read.pools()) ?? [] },
      collateral: { row: schema.collateral, read: read.collateral },
      timed: { row: schema.timed, read: read.timed },
    },
  })
}
