import { bind, type Bound } from './bind.ts'
import * as alerts from './column/growth/alerts.ts'
import * as algo from './column/algo.ts'
import * as convert from './column/convert.ts'
import * as daily from './column/daily.ts'
import * as firm from './column/growth/firm.ts'
import * as firmRequests from './column/growth/firm-requests.ts'
import * as referral from './column/growth/referral.ts'
import * as factors from './column/factors.ts'
import * as funds from './column/funds.ts'
import * as keys from './column/keys.ts'
import * as limits from './column/limits.ts'
import * as margin from './column/margin.ts'
import * as market from './column/market.ts'
import * as news from './column/news.ts'
import * as notices from './column/notices.ts'
import * as activity from './column/activity.ts'
import * as option from './column/option.ts'
import * as papers from './column/papers.ts'
import * as presale from './column/growth/presale.ts'
import * as regain from './column/regain.ts'
import * as preferences from './column/preferences.ts'
import * as perp from './column/perp.ts'
import * as safety from './column/safety.ts'
import * as support from './column/support.ts'
import * as spot from './column/spot.ts'
import * as user from './column/user.ts'
import * as webhooks from './column/webhooks.ts'
import { createHttp, type ClientOptions } from './http.ts'

export type Client = {
  readonly market: Bound<typeof market>
  readonly user: Bound<typeof user>
  readonly preferences: Bound<typeof preferences>
  readonly factors: Bound<typeof factors>
  readonly papers: Bound<typeof papers>
  readonly safety: Bound<typeof safety>
  readonly regain: Bound<typeof regain>
  readonly limits: Bound<typeof limits>
  readonly funds: Bound<typeof funds>
  readonly support: Bound<typeof support>
  readonly spot: Bound<typeof spot>
  readonly algo: Bound<typeof algo>
  readonly convert: Bound<typeof convert>
  readonly daily: Bound<typeof daily>
  readonly referral: Bound<typeof referral>
  readonly presale: Bound<typeof presale>
  readonly firm: Bound<typeof firm>
  readonly firmRequests: Bound<typeof firmRequests>
  readonly perp: Bound<typeof perp>
  readonly margin: Bound<typeof margin>
  readonly option: Bound<typeof option>
  readonly keys: Bound<typeof keys>
  readonly webhooks: Bound<typeof webhooks>
  readonly notices: Bound<typeof notices>
  readonly alerts: Bound<typeof alerts>
  readonly activity: Bound<typeof activity>
  readonly news: Bound<typeof news>
}

/**
 * The whole API of the app, one method per endpoint.
 *
 *   const client = createClient({ baseUrl: '' })
 *   await client.spot.place({ clientId, symbol: 'BTCUSDT', side: 'buy', type: 'market', spend: '100' })
 *
 * A small bundle that needs only a few endpoints calls their functions in `column/` with a `createHttp` instead.
 */
export function createClient(options: ClientOptions): Client {
  const http = createHttp(options)
  return {
    market: bind(market, http),
    user: bind(user, http),
    preferences: bind(preferences, http),
    factors: bind(factors, http),
    papers: bind(papers, http),
    safety: bind(safety, http),
    regain: bind(regain, http),
    limits: bind(limits, http),
    funds: bind(funds, http),
    support: bind(support, http),
    spot: bind(spot, http),
    algo: bind(algo, http),
    convert: bind(convert, http),
    daily: bind(daily, http),
    referral: bind(referral, http),
    presale: bind(presale, http),
    firm: bind(firm, http),
    firmRequests: bind(firmRequests, http),
    perp: bind(perp, http),
    margin: bind(margin, http),
    option: bind(option, http),
    keys: bind(keys, http),
    webhooks: bind(webhooks, http),
    notices: bind(notices, http),
    alerts: bind(alerts, http),
    activity: bind(activity, http),
    news: bind(news, http),
  }
}
