/** Answers of the routes about surveillance, as `server/console/surveillance/schema.ts` describes them. */

/** A pattern that the daily report looks for. `linked`: accounts that may belong to one person. */
export type FindingKind = 'self-trades' | 'round-trips' | 'spoofing' | 'layering' | 'cancels' | 'linked' | 'second-wins'
export type FindingState = 'open' | 'explained' | 'escalated'
/** How a member settles a finding. */
export type Verdict = Exclude<FindingState, 'open'>

/** What was measured beside the threshold that it passed; `limit` is null for a figure that has none. */
export type Measure = { readonly name: string; readonly seen: string; readonly limit: string | null }

/** `maker`: of the exchange's market makers, the bots of a sandbox among them. */
export type PartyRole = 'customer' | 'maker' | 'bench' | 'staff'
export type Party = { readonly uid: string; readonly role: PartyRole }

export type Finding = {
  readonly id: string
  /** Place in the list, newest first. */
  readonly number: number
  /** UTC day of the report, YYYY-MM-DD. */
  readonly day: string
  readonly kind: FindingKind
  readonly market: string | null
  readonly parties: readonly Party[]
  readonly text: string
  readonly measures: readonly Measure[]
  /** Numbers of orders that show it; not all of them. */
  readonly orders: readonly string[]
  readonly from: number
  readonly to: number
  readonly settled: { readonly verdict: Verdict; readonly reason: string; readonly by: string; readonly at: number } | null
}
export type FindingPage = { readonly findings: readonly Finding[]; readonly next?: number }

/** A read of a report that takes only so many rows. `quoters`: accounts with large or many cancelled orders. `players`: of Second. */
export type LimitedRead =
  | 'devices'
  | 'documents'
  | 'networks'
  | 'firms'
  | 'pairs'
  | 'trades'
  | 'quoters'
  | 'largeOrders'
  | 'fills'
  | 'players'
  | 'contracts'

/** Rows that a report read. `prevented`: orders of which self-trade prevention removed a part. */
export type Examined = {
  readonly trades: number
  readonly orders: number
  readonly contracts: number
  readonly accounts: number
  readonly prevented: number
  /** Reads that took as many rows as they may, so that the report may lack findings. Older reports lack it. */
  readonly atLimit?: readonly LimitedRead[]
}

export type ReportDay = {
  readonly day: string
  readonly madeAt: number
  readonly tookMs: number
  /** The last command in the tables that it was made from. */
  readonly seq: number
  readonly examined: Examined
  readonly counts: { readonly [K in FindingKind]?: number }
  /** Findings that nobody has settled yet. */
  readonly open: number
}
/** `next`: the day after which the next report is made. */
export type Surveillance = { readonly days: readonly ReportDay[]; readonly open: number; readonly due: readonly string[] }
