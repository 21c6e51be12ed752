/** The pages by their paths below `/console`. */
import { QueryErrorResetBoundary, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FindingKind } from '@candor/core/protocol/wire/console/surveillance.ts'
import type { DepositView } from '@candor/core/protocol/wire/console/deposits.ts'
import type { WithdrawalView } from '@candor/core/protocol/wire/console/withdrawals.ts'
import { meQuery } from '../app/session.ts'
import { t } from '../app/texts.ts'
import { Button, Empty, Failed } from '../parts/ui.tsx'
import { EnrolPage } from '../pages/enrol.tsx'
import { LoginPage } from '../pages/login.tsx'
import type { Area } from '../pages/terms/wire.ts'
import { OverviewPage } from '../pages/overview/page.tsx'
import { Frame } from './frame.tsx'

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: Broken })

/** The login, if nobody is logged in; the page stays the same, so that it is there after the login. */
function Root(): ReactNode {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const navigate = useNavigate()
  const { data: me, error, refetch } = useQuery(meQuery)
  if (path === '/enrol') return <EnrolPage onDone={() => void navigate({ to: '/', replace: true })} />
  if (error) return <Failed cause={error} onRetry={() => void refetch()} />
  if (me === undefined) return null
  if (me === null) return <LoginPage />
  return (
    <Frame me={me}>
      <QueryErrorResetBoundary>
        <Outlet />
      </QueryErrorResetBoundary>
    </Frame>
  )
}

function NotFound(): ReactNode {
  return <Empty title={t.common.notFound} text={t.common.notFoundText} />
}

/** A page that failed, or whose file could not be loaded. */
function Broken(): ReactNode {
  return (
    <Empty title={t.common.broken} text={t.common.brokenText}>
      <Button onClick={() => location.reload()}>{t.common.reload}</Button>
    </Empty>
  )
}

/** Says so instead of the page when the role may not open it; the exchange refuses its requests, too. */
function guarded(action: string, Page: () => ReactNode): () => ReactNode {
  return function Guarded() {
    const { data: me } = useSuspenseQuery(meQuery)
    if (me === null) return null
    if (!me.mayDo.includes(action)) return <Empty title={t.common.forbidden} text={t.common.forbiddenText(t.roles[me.role])} />
    return <Page />
  }
}

const tickets = lazyRouteComponent(() => import('../pages/support/page.tsx'), 'SupportPage')
const ticket = lazyRouteComponent(() => import('../pages/support/ticket.tsx'), 'TicketPage')
const own = lazyRouteComponent(() => import('../pages/own/page.tsx'), 'OwnPage')
const staff = lazyRouteComponent(() => import('../pages/staff/page.tsx'), 'StaffPage')
const identity = lazyRouteComponent(() => import('../pages/identity/page.tsx'), 'IdentityPage')
const revocations = lazyRouteComponent(() => import('../pages/identity/revocations.tsx'), 'RevocationsPage')
const recoveries = lazyRouteComponent(() => import('../pages/recoveries/page.tsx'), 'RecoveriesPage')
const log = lazyRouteComponent(() => import('../pages/log.tsx'), 'LogPage')
const risk = lazyRouteComponent(() => import('../pages/risk/page.tsx'), 'RiskPage')
const surveillance = lazyRouteComponent(() => import('../pages/surveillance/page.tsx'), 'SurveillancePage')
const finding = lazyRouteComponent(() => import('../pages/surveillance/finding.tsx'), 'FindingPage')
const withdrawals = lazyRouteComponent(() => import('../pages/withdrawals/page.tsx'), 'WithdrawalsPage')
const deposits = lazyRouteComponent(() => import('../pages/deposits/page.tsx'), 'DepositsPage')
const treasury = lazyRouteComponent(() => import('../pages/treasury/page.tsx'), 'TreasuryPage')
const withdrawal = lazyRouteComponent(() => import('../pages/withdrawals/detail.tsx'), 'WithdrawalDetailPage')
const health = lazyRouteComponent(() => import('../pages/health/page.tsx'), 'HealthPage')
const journal = lazyRouteComponent(() => import('../pages/journal/page.tsx'), 'JournalPage')
const ledger = lazyRouteComponent(() => import('../pages/ledger/page.tsx'), 'LedgerPage')
const account = lazyRouteComponent(() => import('../pages/ledger/account.tsx'), 'AccountPage')
const command = lazyRouteComponent(() => import('../pages/ledger/command.tsx'), 'CommandPage')

const markets = lazyRouteComponent(() => import('../pages/terms/markets.tsx'), 'MarketsPage')
const market = lazyRouteComponent(() => import('../pages/terms/market.tsx'), 'MarketPage')
const fees = lazyRouteComponent(() => import('../pages/terms/fees.tsx'), 'FeesPage')
const countries = lazyRouteComponent(() => import('../pages/terms/countries.tsx'), 'CountriesPage')
const postings = lazyRouteComponent(() => import('../pages/terms/postings.tsx'), 'PostingsPage')
const networks = lazyRouteComponent(() => import('../pages/terms/networks.tsx'), 'NetworksPage')
const house = lazyRouteComponent(() => import('../pages/terms/house.tsx'), 'HousePage')
const firms = lazyRouteComponent(() => import('../pages/firms/page.tsx'), 'FirmsPage')
const firm = lazyRouteComponent(() => import('../pages/firms/detail.tsx'), 'FirmPage')
const presales = lazyRouteComponent(() => import('../pages/presales/page.tsx'), 'PresalesPage')
const presale = lazyRouteComponent(() => import('../pages/presales/prepare.tsx'), 'PresalePage')
const decisions = lazyRouteComponent(() => import('../pages/terms/decisions.tsx'), 'DecisionsPage')
const announcements = lazyRouteComponent(() => import('../pages/announcements/page.tsx'), 'AnnouncementsPage')
const decision = lazyRouteComponent(() => import('../pages/terms/decisions.tsx'), 'DecisionPage')

const customers = lazyRouteComponent(() => import('../pages/customers/list.tsx'), 'CustomersPage')
const customer = lazyRouteComponent(() => import('../pages/customers/page.tsx'), 'CustomerPage')
const freezes = lazyRouteComponent(() => import('../pages/freezes/page.tsx'), 'FreezesPage')

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const at = <P extends string>(path: P, component: () => ReactNode) => createRoute({ getParentRoute: () => root, path, component })

const oneOf = <const T extends string>(words: readonly T[], value: unknown): T | undefined => words.find((word) => word === value)

type CustomersSearch = {
  readonly q?: string
  readonly state?: 'frozen' | 'staff'
  readonly certification?: 'none' | 'in-progress' | 'certified'
  readonly class?: 'retail' | 'maker' | 'bench'
  readonly region?: string
}

/** A UID in an address reads as a number. */
function customersSearch({ q, state, certification, class: group, region }: Record<string, unknown>): CustomersSearch {
  const given = {
    q: text(typeof q === 'number' ? String(q) : q),
    state: oneOf(['frozen', 'staff'], state),
    certification: oneOf(['none', 'in-progress', 'certified'], certification),
    class: oneOf(['retail', 'maker', 'bench'], group),
    region: typeof region === 'string' && /^[A-Z]{2}$/.test(region) ? region : undefined,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const areas = ['markets', 'fees', 'countries', 'house', 'postings', 'networks', 'presales', 'firms'] as const satisfies readonly Area[]
type SurveillanceSearch = {
  readonly state?: 'open' | 'explained' | 'escalated' | 'all'
  readonly kind?: FindingKind
  readonly day?: string
  readonly uid?: string
}

function surveillanceSearch({ state, kind, day, uid }: Record<string, unknown>): SurveillanceSearch {
  const given = {
    state: oneOf(['open', 'explained', 'escalated', 'all'], state),
    kind: oneOf(Object.keys(t.surveillance.kinds) as FindingKind[], kind),
    day: typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined,
    uid: /^[1-9]\d{8}$/.test(String(uid)) ? String(uid) : undefined,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const tree = root.addChildren([
  at('/', OverviewPage),
  at('/enrol', () => null),
  at('/me', own as () => ReactNode),
  at('/staff', guarded('staff.read', staff as () => ReactNode)),
  at('/identity', guarded('papers.read', identity as () => ReactNode)),
  at('/identity/revocations', guarded('papers.read', revocations as () => ReactNode)),
  at('/identity/$id', guarded('papers.read', identity as () => ReactNode)),
  at('/markets', guarded('markets.read', markets as () => ReactNode)),
  at('/markets/$subject', guarded('markets.read', market as () => ReactNode)),
  at('/fees', guarded('fees.read', fees as () => ReactNode)),
  at('/countries', guarded('countries.read', countries as () => ReactNode)),
  at('/networks', guarded('networks.read', networks as () => ReactNode)),
  at('/presales', guarded('presales.read', presales as () => ReactNode)),
  at('/presales/$number', guarded('presales.read', presale as () => ReactNode)),
  at('/firms', guarded('firms.read', firms as () => ReactNode)),
  at('/firms/$number', guarded('firms.read', firm as () => ReactNode)),
  at('/postings', guarded('operations.read', postings as () => ReactNode)),
  at('/second', guarded('house.read', house as () => ReactNode)),
  createRoute({
    getParentRoute: () => root,
    path: '/decisions',
    component: guarded('operations.read', decisions as () => ReactNode),
    validateSearch: ({ area }: Record<string, unknown>): { area?: Area } => {
      const found = oneOf(areas, area)
      return found === undefined ? {} : { area: found }
    },
  }),
  at('/support', guarded('support.read', tickets as () => ReactNode)),
  at('/support/$id', guarded('support.read', ticket as () => ReactNode)),
  at('/announcements', guarded('announcements.read', announcements as () => ReactNode)),
  at('/decisions/$id', guarded('operations.read', decision as () => ReactNode)),
  at('/recoveries', guarded('recoveries.read', recoveries as () => ReactNode)),
  at('/recoveries/$id', guarded('recoveries.read', recoveries as () => ReactNode)),
  createRoute({
    getParentRoute: () => root,
    path: '/withdrawals',
    component: guarded('withdrawals.read', withdrawals as () => ReactNode),
    validateSearch: ({ view }: Record<string, unknown>): { view?: WithdrawalView } => {
      const found = oneOf<WithdrawalView>(['requested', 'approved', 'ended'], view)
      return found === undefined ? {} : { view: found }
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/deposits',
    component: guarded('deposits.read', deposits as () => ReactNode),
    validateSearch: ({ view }: Record<string, unknown>): { view?: DepositView } => {
      const found = oneOf<DepositView>(['held', 'wrong-token', 'failed', 'orphaned', 'refused'], view)
      return found === undefined ? {} : { view: found }
    },
  }),
  at('/treasury', guarded('treasury.read', treasury as () => ReactNode)),
  at('/withdrawals/$id', guarded('withdrawals.read', withdrawal as () => ReactNode)),
  at('/health', guarded('health.read', health as () => ReactNode)),
  at('/risk', guarded('risk.read', risk as () => ReactNode)),
  createRoute({
    getParentRoute: () => root,
    path: '/surveillance',
    component: guarded('surveillance.read', surveillance as () => ReactNode),
    validateSearch: surveillanceSearch,
  }),
  at('/surveillance/$id', guarded('surveillance.read', finding as () => ReactNode)),
  createRoute({
    getParentRoute: () => root,
    path: '/journal',
    component: guarded('journal.read', journal as () => ReactNode),
    validateSearch: ({ before }: Record<string, unknown>): { before?: string } =>
      /^\d{1,15}$/.test(String(before)) ? { before: String(before) } : {},
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/ledger',
    component: guarded('ledger.read', ledger as () => ReactNode),
    validateSearch: ({ seq }: Record<string, unknown>): { seq?: string } => (/^\d{1,15}$/.test(String(seq)) ? { seq: String(seq) } : {}),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/ledger/account/$owner',
    component: guarded('ledger.read', account as () => ReactNode),
    validateSearch: ({ asset }: Record<string, unknown>): { asset?: string } => (text(asset) === undefined ? {} : { asset: text(asset)! }),
  }),
  at('/ledger/command/$seq', guarded('ledger.read', command as () => ReactNode)),
  createRoute({
    getParentRoute: () => root,
    path: '/customers',
    component: guarded('customers.read', customers as () => ReactNode),
    validateSearch: customersSearch,
  }),
  at('/customers/$uid', guarded('customers.read', customer as () => ReactNode)),
  at('/freezes', guarded('freezes.read', freezes as () => ReactNode)),
  createRoute({
    getParentRoute: () => root,
    path: '/log',
    component: guarded('log.read', log as () => ReactNode),
    validateSearch: ({ staff: member, action }: Record<string, unknown>): { staff?: string; action?: string } => ({
      ...(text(member) === undefined ? {} : { staff: text(member)! }),
      ...(text(action) === undefined ? {} : { action: text(action)! }),
    }),
  }),
])

export const router = createRouter({ routeTree: tree, basepath: '/console', defaultPreload: 'intent', scrollRestoration: false })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
