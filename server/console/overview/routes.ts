import {
  type FigurePeriod,
  figurePeriods,
  type Figures,
  type Overview,
  type Waiting,
  type WorkKind,
  workKinds,
} from '@candor/core/protocol/wire/console/overview.ts'
import type { Clock } from '../../ports.ts'
import { may, type ReadAction } from '../../staff/permissions.ts'
import type { Staff } from '../../staff/staff.ts'
import { workWaiting } from '../../store/query/console/waiting.ts'
import type { ConsoleScope } from '../scope.ts'
import { fileRoutes } from '../watch/files.ts'
import type { Watched } from '../watch/watched.ts'
import { exposureOf } from './exposure.ts'
import { figuresOf } from './figures.ts'
import { recent } from './recent.ts'
import * as schema from './schema.ts'
import { overviewState } from './state.ts'

export type OverviewParts = {
  readonly mode: 'sandbox' | 'production'
  readonly watched: Watched
  readonly staff: Staff
  readonly clock: Clock
}

/** Whose page shows the work. A role that may not open the page gets no count of it. */
const actionOf: Readonly<Record<WorkKind, ReadAction>> = {
  withdrawals: 'withdrawals.read',
  deposits: 'deposits.read',
  papers: 'papers.read',
  recoveries: 'recoveries.read',
  revocations: 'papers.read',
  lifts: 'freezes.read',
  surveillance: 'surveillance.read',
  tickets: 'support.read',
  operations: 'operations.read',
  proposals: 'staff.read',
}

const figuresMs = 10_000
const exposureMs = 2_000

/** The first page: what waits, what is wrong, the figures of the business, funds and exposure. */
export function overviewRoutes(scope: ConsoleScope, { mode, watched, staff, clock }: OverviewParts): void {
  scope.read('/overview', { action: 'overview.read', summary: 'What waits', answer: schema.overview }, async ({ session }) => {
    const now = clock()
    const rows = await workWaiting(watched.pool, now)
    const waiting = workKinds.map((kind) => [kind, may(session.role, actionOf[kind]) ? waitingOf(kind) : null] as const)
    return { mode, ...(Object.fromEntries(waiting) as Omit<Overview, 'mode'>) }

    function waitingOf(kind: WorkKind): Waiting {
      const { waiting: count = 0, oldestAt = null } = rows.find((row) => row.kind === kind) ?? {}
      return { waiting: count, oldestAgeMs: oldestAt === null ? null : Math.max(0, now - oldestAt) }
    }
  })

  const state = overviewState(watched, clock)
  scope.read('/overview/state', { action: 'health.read', summary: 'What is wrong, and the checks', cost: 2, answer: schema.state }, state)

  const exposure = recent(exposureMs, () => exposureOf(watched, clock()))
  scope.read(
    '/overview/exposure',
    { action: 'risk.read', summary: 'Funds, pools and open positions', cost: 2, answer: schema.exposure },
    exposure,
  )

  const read = Object.fromEntries(
    figurePeriods.map((period) => [period, recent(figuresMs, () => figuresOf(watched.pool, period, clock()))]),
  ) as Readonly<Record<FigurePeriod, () => Promise<Figures>>>
  scope.read(
    '/overview/figures',
    { action: 'figures.read', summary: 'Figures of the business', cost: 3, query: schema.figuresPage, answer: schema.figures },
    ({ query: { period } }) => read[period](),
  )
  fileRoutes(scope, staff, {
    ...{ area: 'overview', action: 'figures.read', filter: schema.figuresPage },
    tables: { figures: { row: schema.figureStep, read: async ({ period }) => stepsOf(await read[period]()) } },
  })
}

/** A row for each step, with the step that it is compared with. Steps that have not begun are empty. */
function stepsOf({ from, comparedFrom, stepMs, figures }: Figures): readonly object[] {
  const time = (at: number): string => new Date(at).toISOString()
  return (figures[0]?.before ?? []).map((_, step) => ({
    from: time(from + step * stepMs),
    ...Object.fromEntries(figures.map(({ name, points }) => [name, points[step] ?? ''])),
    comparedFrom: time(comparedFrom + step * stepMs),
    ...Object.fromEntries(figures.map(({ name, before }) => [`${name}Before`, before[step] ?? ''])),
  }))
}
