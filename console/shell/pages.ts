/** The pages of the side bar: their path, key, the action that a role needs, and their place in the table of counts. */
import {
  Activity,
  ArrowDownToLine,
  ArrowUpFromLine,
  Building2,
  ChartCandlestick,
  FileClock,
  Gauge,
  Globe,
  Headset,
  IdCard,
  KeyRound,
  Landmark,
  LayoutDashboard,
  Link2,
  type LucideIcon,
  Megaphone,
  Network,
  PencilLine,
  Percent,
  Radar,
  Rocket,
  Scale,
  ScrollText,
  Snowflake,
  Timer,
  UserCog,
  Users,
} from 'lucide-react'
import type { WorkKind } from '@candor/core/protocol/wire/console/overview.ts'
import { t } from '../app/texts.ts'

export type PageLink = {
  readonly path:
    | '/'
    | '/identity'
    | '/customers'
    | '/freezes'
    | '/markets'
    | '/fees'
    | '/countries'
    | '/second'
    | '/networks'
    | '/postings'
    | '/decisions'
    | '/recoveries'
    | '/withdrawals'
    | '/deposits'
    | '/treasury'
    | '/risk'
    | '/surveillance'
    | '/ledger'
    | '/support'
    | '/announcements'
    | '/presales'
    | '/firms'
    | '/journal'
    | '/staff'
    | '/log'
    | '/health'
  readonly name: string
  /** With `G` before it. */
  readonly key: string
  readonly action: string
  readonly icon: LucideIcon
  readonly count?: WorkKind
}

export const pageLinks: readonly PageLink[] = [
  { path: '/', name: t.nav.overview, key: 'o', action: 'overview.read', icon: LayoutDashboard },
  { path: '/identity', name: t.nav.identity, key: 'i', action: 'papers.read', icon: IdCard, count: 'papers' },
  { path: '/customers', name: t.nav.customers, key: 'c', action: 'customers.read', icon: Users },
  { path: '/firms', name: t.firms.title, key: 'm', action: 'firms.read', icon: Building2 },
  { path: '/freezes', name: t.customers.freezes.title, key: 'f', action: 'freezes.read', icon: Snowflake, count: 'lifts' },
  { path: '/withdrawals', name: t.nav.withdrawals, key: 'w', action: 'withdrawals.read', icon: ArrowUpFromLine, count: 'withdrawals' },
  { path: '/deposits', name: t.nav.deposits, key: 'u', action: 'deposits.read', icon: ArrowDownToLine, count: 'deposits' },
  { path: '/treasury', name: t.nav.treasury, key: 't', action: 'treasury.read', icon: Landmark },
  { path: '/markets', name: t.terms.markets, key: 'k', action: 'markets.read', icon: ChartCandlestick },
  { path: '/fees', name: t.terms.fees, key: 'e', action: 'fees.read', icon: Percent },
  { path: '/countries', name: t.terms.countries, key: 'y', action: 'countries.read', icon: Globe },
  { path: '/second', name: t.terms.house, key: '2', action: 'house.read', icon: Timer },
  { path: '/networks', name: t.terms.networks, key: 'q', action: 'networks.read', icon: Network },
  { path: '/presales', name: t.nav.presales, key: 'r', action: 'presales.read', icon: Rocket },
  { path: '/postings', name: t.terms.postings, key: 'p', action: 'operations.read', icon: PencilLine },
  { path: '/decisions', name: t.terms.decisions, key: 'd', action: 'operations.read', icon: Scale, count: 'operations' },
  { path: '/recoveries', name: t.recoveries.title, key: 'l', action: 'recoveries.read', icon: KeyRound, count: 'recoveries' },
  { path: '/risk', name: t.watch.risk.title, key: 'x', action: 'risk.read', icon: Gauge },
  { path: '/surveillance', name: t.surveillance.title, key: 'v', action: 'surveillance.read', icon: Radar, count: 'surveillance' },
  { path: '/ledger', name: t.watch.ledger.title, key: 'b', action: 'ledger.read', icon: ScrollText },
  { path: '/support', name: t.support.title, key: 'z', action: 'support.read', icon: Headset, count: 'tickets' },
  { path: '/announcements', name: t.announcements.title, key: 'n', action: 'announcements.read', icon: Megaphone },
  { path: '/journal', name: t.watch.journal.title, key: 'j', action: 'journal.read', icon: Link2 },
  { path: '/staff', name: t.nav.staff, key: 's', action: 'staff.read', icon: UserCog, count: 'proposals' },
  { path: '/log', name: t.nav.log, key: 'a', action: 'log.read', icon: FileClock },
  { path: '/health', name: t.watch.health.title, key: 'h', action: 'health.read', icon: Activity },
]
