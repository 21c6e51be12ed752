import type { AddressBook } from '../chains/book/book.ts'
import type { Deletions } from '../identity/gates/deletions.ts'
import type { Identity } from '../identity/identity.ts'
import type { LimitsDesk } from '../identity/limits/desk.ts'
import type { Notices } from '../notices/notices.ts'
import type { Push } from '../notices/push.ts'
import type { Papers } from '../papers/papers.ts'
import type { RegainPapers } from '../papers/regains.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { Announcements } from '../announcements/announcements.ts'
import type { Changes } from '../operations/changes.ts'
import type { FirmsDesk } from '../firms/desk.ts'
import type { SupportDesk } from '../support/desk.ts'
import type { App } from './app.ts'
import type { Context } from '../live/context.ts'
import { algoRoutes } from './algo/routes.ts'
import { addressRoutes } from './chains/address-routes.ts'
import { depositRoutes } from './chains/deposit-routes.ts'
import type { ChainsDoor } from './chains/desks.ts'
import { withdrawRoutes } from './chains/withdraw-routes.ts'
import { hedgeRoutes } from './convert/hedge-routes.ts'
import { convertRoutes } from './convert/routes.ts'
import { dailyRoutes } from './daily/routes.ts'
import { explainRoutes } from './explain/routes.ts'
import { firmRequestRoutes } from './firm/request-routes.ts'
import { firmRoutes } from './firm/routes.ts'
import { fundsRoutes } from './funds/routes.ts'
import { lendRoutes } from './lend/routes.ts'
import { marginRoutes } from './margin/routes.ts'
import { marketRoutes } from './market/routes.ts'
import { optionRoutes } from './option/routes.ts'
import { newsRoutes } from './news/routes.ts'
import { perpRoutes } from './perp/routes.ts'
import { referralRoutes } from './referral/routes.ts'
import { presaleRoutes } from './presale/routes.ts'
import { proofRoutes } from './proof/routes.ts'
import { spotRoutes } from './spot/routes.ts'
import { supportRoutes } from './support/routes.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { ActivityReader } from '../activity/reader.ts'
import { deletionRoutes } from './user/deletion-routes.ts'
import { alertRoutes } from './user/alert-routes.ts'
import { activityRoutes } from './user/activity-routes.ts'
import type { Cookies } from './user/cookies.ts'
import { limitRoutes } from './user/limit-routes.ts'
import { noticeRoutes } from './user/notice-routes.ts'
import { paperRoutes } from './user/paper-routes.ts'
import { recentRoutes } from './user/recent-routes.ts'
import { regainRoutes } from './user/regain-routes.ts'
import { userRoutes } from './user/routes.ts'
import { signalRoutes } from './signals/routes.ts'
import { webhookRoutes } from './user/webhook-routes.ts'

export type RouteParts = {
  readonly context: Context
  readonly identity: Identity
  readonly deletions: Deletions
  readonly webhooks: Webhooks
  readonly papers: Papers
  readonly regains: RegainPapers
  readonly own: LimitsDesk
  readonly notices: Notices
  readonly push: Push
  readonly alerts: Alerts
  readonly changes: Changes
  readonly announcements: Announcements
  readonly tickets: SupportDesk
  readonly firms: FirmsDesk
  readonly book: AddressBook
  readonly chains: ChainsDoor
  readonly cookies: Cookies
}

/** All routes of the app, below `/app/v1`. */
export async function appRoutes(app: App, parts: RouteParts): Promise<void> {
  const {
    context,
    identity,
    deletions,
    webhooks,
    papers,
    regains,
    own,
    notices,
    push,
    changes,
    announcements,
    tickets,
    firms,
    alerts,
    book,
    chains,
    cookies,
  } = parts
  const activity = new ActivityReader(context.pool, (market) => context.listing.marketIfAny(market)?.wire.symbol)
  const add = (scope: App): void => {
    marketRoutes(scope, context)
    spotRoutes(scope, context)
    perpRoutes(scope, context)
    algoRoutes(scope, context)
    marginRoutes(scope, context)
    lendRoutes(scope, context)
    convertRoutes(scope, context)
    hedgeRoutes(scope, context)
    dailyRoutes(scope, context)
    referralRoutes(scope, context, identity)
    presaleRoutes(scope, context)
    optionRoutes(scope, context, identity.factors)
    proofRoutes(scope, context)
    explainRoutes(scope, context)
    fundsRoutes(scope, context, own)
    userRoutes(scope, context, identity, cookies)
    signalRoutes(scope, context, identity, cookies)
    webhookRoutes(scope, webhooks, cookies)
    recentRoutes(scope, identity, webhooks, cookies)
    paperRoutes(scope, papers, cookies)
    noticeRoutes(scope, notices, push)
    alertRoutes(scope, alerts)
    limitRoutes(scope, own, cookies)
    regainRoutes(scope, identity, regains, cookies)
    activityRoutes(scope, activity)
    supportRoutes(scope, tickets)
    firmRoutes(scope, context, firms, cookies)
    newsRoutes(scope, changes, announcements)
    deletionRoutes(scope, context, { deletions, papers, book }, cookies)
    addressRoutes(scope, book, cookies)
    depositRoutes(scope, context, chains)
    withdrawRoutes(scope, context, chains, { book, identity }, cookies)
    firmRequestRoutes(scope, context, chains, { book, identity, firms }, cookies)
  }
  await app.register(async (scope) => add(scope.withTypeProvider() as unknown as App), { prefix: '/app/v1' })
}
