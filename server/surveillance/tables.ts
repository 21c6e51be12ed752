import type { FindingKind, Measure, PartyRole, Verdict, Examined } from '@candor/core/protocol/wire/console/surveillance.ts'
import type { GeneratedAlways, Kysely } from 'kysely'
import type { Store } from '../store/open.ts'
import type { Day } from './days.ts'

/** Migration 124, and what else this room reads, as Kysely sees it. */
export type SurveillanceTables = {
  surveillance_reports: {
    day: Day
    made_at: number
    took_ms: number
    seq: number
    examined: Examined
    counts: Readonly<Partial<Record<FindingKind, number>>>
    thresholds: unknown
  }
  surveillance_findings: {
    id: string
    number: GeneratedAlways<number>
    day: Day
    kind: FindingKind
    market: string | null
    accounts: readonly string[]
    roles: readonly PartyRole[]
    weight: number
    text: string
    measures: readonly Measure[]
    orders: readonly string[]
    from_at: number
    to_at: number
  }
  surveillance_settlements: { finding: string; verdict: Verdict; reason: string; staff: string; at: number }
  staff: { id: string; email: string; state: string; role: string }
  accounts: { id: string; uid: string }
}

export type SurveillanceDb = Kysely<SurveillanceTables>

export function surveillanceDb(store: Pick<Store, 'db'>): SurveillanceDb {
  return store.db.withTables<SurveillanceTables>() as unknown as SurveillanceDb
}
