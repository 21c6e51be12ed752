import type { FastifyInstance } from 'fastify'
import type { Limits } from '../http/limits.ts'
import type { Identity } from '../identity/identity.ts'
import type { PapersDesk } from '../papers/desk.ts'
import type { Clock } from '../ports.ts'
import type { Staff } from '../staff/staff.ts'
import type { Announcements } from '../announcements/announcements.ts'
import { announcementRoutes } from './announcements/routes.ts'
import { type DepositsDesk, depositRoutes } from './deposits/routes.ts'
import { doorRoutes, ownRoutes, passkeyRoutes } from './auth-routes.ts'
import { StaffCookie } from './cookie.ts'
import { customerRoutes, type CustomersDesk } from './customers/routes.ts'
import type { FirmsDesk } from '../firms/desk.ts'
import { firmRoutes } from './firms/routes.ts'
import { freezeRoutes } from './freeze-routes.ts'
import { addConsoleGate, prefix } from './gate.ts'
import { logRoutes } from './log-routes.ts'
import { presaleRoutes } from './presales/routes.ts'
import { type OperationsDesk, operationRoutes } from './operations/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { paperRoutes } from './paper-routes.ts'
import { recoveryRoutes } from './recoveries/routes.ts'
import type { Watched } from './watch/watched.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { journalRoutes } from './journal/routes.ts'
import { riskRoutes } from './risk/routes.ts'
import { revocationRoutes } from './revocation-routes.ts'
import { ConsoleScope } from './scope.ts'
import type { SupportDesk } from '../support/desk.ts'
import { supportRoutes } from './support/routes.ts'
import { staffRoutes } from './staff-routes.ts'
import type { SurveillanceDesk } from '../surveillance/surveillance.ts'
import { surveillanceRoutes } from './surveillance/routes.ts'
import type { TreasuryParts } from './treasury/read.ts'
import { treasuryRoutes } from './treasury/routes.ts'
import { withdrawalRoutes, type WithdrawalsDesk } from './withdrawals/routes.ts'

export type ConsoleParts = {
  readonly mode: 'sandbox' | 'production'
  readonly publicUrls: readonly string[]
  /** Whether the public address is https. */
  readonly isSecure: boolean
  readonly limits: Limits
  readonly staff: Staff
  readonly papers: Pick<PapersDesk, 'reviews' | 'revocations' | 'regainReviews' | 'mark'>
  readonly identity: Pick<Identity, 'freezes' | 'lifts'>
  readonly desk: OperationsDesk
  readonly announcements: Announcements
  readonly watched: Watched
  readonly people: CustomersDesk
  readonly surveillance: SurveillanceDesk
  readonly withdrawals: WithdrawalsDesk
  readonly deposits: DepositsDesk
  readonly tickets: SupportDesk
  readonly firms: Pick<FirmsDesk, 'office' | 'applications'>
  readonly treasury: Omit<TreasuryParts, 'clock'>
  readonly clock?: Clock
}

/** All routes of the operators' console, below `/console/v1`. They have their own cookie, gate and limits. */
export async function consoleRoutes(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  const {
    mode,
    publicUrls,
    isSecure,
    limits,
    staff,
    papers,
    identity,
    desk,
    announcements,
    watched,
    people,
    surveillance,
    withdrawals,
    deposits,
    treasury,
    tickets,
    firms,
    clock = Date.now,
  } = parts
  const cookie = new StaffCookie(isSecure)
  await app.register(
    async (inside) => {
      addConsoleGate(inside, { mode, publicUrls, limits, cookie, staff })
      const scope = new ConsoleScope(inside)
      doorRoutes(scope, staff, cookie)
      ownRoutes(scope, staff, cookie)
      passkeyRoutes(scope, staff)
      staffRoutes(scope, staff)
      paperRoutes(scope, { papers, staff, clock })
      revocationRoutes(scope, papers, staff)
      freezeRoutes(scope, identity, staff)
      operationRoutes(scope, desk, staff)
      announcementRoutes(scope, announcements, staff)
      presaleRoutes(scope, { pool: watched.pool, clock, prepared: desk.presales, staff })
      firmRoutes(scope, firms, staff)
      customerRoutes(scope, people, staff)
      logRoutes(scope, staff)
      overviewRoutes(scope, { mode, watched, staff, clock })
      recoveryRoutes(scope, { papers, staff, clock })
      riskRoutes(scope, { watched, staff, clock })
      ledgerRoutes(scope, { pool: watched.pool, staff, customers: people.customers })
      healthRoutes(scope, watched, staff)
      journalRoutes(scope, watched, staff)
      surveillanceRoutes(scope, surveillance, staff)
      withdrawalRoutes(scope, withdrawals, staff)
      depositRoutes(scope, deposits, staff)
      supportRoutes(scope, tickets, clock)
      treasuryRoutes(scope, { ...treasury, clock }, { chain: withdrawals.chain, staff })
    },
    { prefix },
  )
}
