import type { Finding, ReportDay } from '@candor/core/protocol/wire/console/surveillance.ts'
import { noContent } from '../../http/schema.ts'
import type { Staff } from '../../staff/staff.ts'
import type { SurveillanceDesk } from '../../surveillance/surveillance.ts'
import { byId } from '../schema.ts'
import type { ConsoleScope } from '../scope.ts'
import { fileMax } from '../files.ts'
import { fileRoutes } from '../watch/files.ts'
import * as schema from './schema.ts'

/** Daily reports and their findings. The only change is to settle a finding, which touches no order, price or outcome. */
export function surveillanceRoutes(scope: ConsoleScope, desk: SurveillanceDesk, staff: Staff): void {
  const action = 'surveillance.read'
  scope.read('/surveillance', { action, summary: 'Reports of surveillance, newest first', cost: 2, answer: schema.surveillance }, () =>
    desk.overview(),
  )
  scope.read(
    '/surveillance/findings',
    { action, summary: 'Findings, newest first', cost: 2, query: schema.page, answer: schema.findings },
    ({ query: { before, ...filter } }) => desk.page(filter, before),
  )
  scope.read('/surveillance/findings/:id', { action, summary: 'One finding', params: byId, answer: schema.finding }, ({ params }) =>
    desk.one(params.id),
  )
  scope.change(
    'POST',
    '/surveillance/findings/:id/settle',
    {
      ...{ action: 'surveillance.decide', summary: 'Settle a finding as explained or escalated' },
      ...{ params: byId, body: schema.settlement, answer: noContent },
    },
    (asked) => desk.settle(asked.params.id, asked.body.verdict, asked.body.reason, asked),
  )
  fileRoutes(scope, staff, {
    ...{ area: 'surveillance', action, filter: schema.filter },
    tables: {
      findings: {
        row: schema.findingLine,
        read: async (filter) => (await desk.page(filter, undefined, fileMax + 1)).findings.map(findingLine),
      },
      days: { row: schema.dayLine, read: async () => (await desk.days()).map(dayLine) },
    },
  })
}

const iso = (at: number): string => new Date(at).toISOString()

function findingLine({ day, kind, market, parties, text, measures, orders, from, to, settled }: Finding) {
  return {
    ...{ day, kind, market: market ?? '', accounts: parties.map(({ uid }) => uid).join(' '), seen: text },
    measures: measures.map(({ name, seen, limit }) => `${name}: ${seen}${limit === null ? '' : ` (${limit})`}`).join('; '),
    ...{ orders: orders.join(' '), from: iso(from), to: iso(to), state: settled?.verdict ?? 'open' },
    ...{ settledBy: settled?.by ?? '', settledAt: settled === null ? '' : iso(settled.at), reason: settled?.reason ?? '' },
  }
}

function dayLine({ day, madeAt, tookMs, seq, examined, counts, open }: ReportDay) {
  const all = Object.fromEntries(schema.kinds.map((kind) => [kind, counts[kind] ?? 0]))
  return { day, madeAt: iso(madeAt), tookMs, seq, ...examined, atLimit: (examined.atLimit ?? []).join(' '), open, ...all }
}
