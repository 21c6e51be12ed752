/** All keys of texts. A new area needs a JSON file in each language and two lines here. */
import type about from './en/about.json'
import type accounts from './en/accounts.json'
import type activity from './en/activity.json'
import type addresses from './en/addresses.json'
import type admission from './en/admission.json'
import type agreement from './en/agreement.json'
import type alerts from './en/alerts.json'
import type apikeys from './en/apikeys.json'
import type assets from './en/assets.json'
import type auth from './en/auth.json'
import type certify from './en/certify.json'
import type chains from './en/chains.json'
import type chart from './en/chart.json'
import type closed from './en/closed.json'
import type common from './en/common.json'
import type convert from './en/convert.json'
import type daily from './en/daily.json'
import type deletion from './en/deletion.json'
import type fields from './en/fields.json'
import type firm from './en/firm.json'
import type gates from './en/gates.json'
import type home from './en/home.json'
import type lend from './en/lend.json'
import type limits from './en/limits.json'
import type loans from './en/loans.json'
import type margin from './en/margin.json'
import type market from './en/market.json'
import type markets from './en/markets.json'
import type me from './en/me.json'
import type notices from './en/notices.json'
import type option from './en/option.json'
import type orders from './en/orders.json'
import type papers from './en/papers.json'
import type perp from './en/perp.json'
import type positions from './en/positions.json'
import type practice from './en/practice.json'
import type presale from './en/presale.json'
import type proof from './en/proof.json'
import type records from './en/records.json'
import type referral from './en/referral.json'
import type refusals from './en/refusals.json'
import type reverify from './en/reverify.json'
import type safety from './en/safety.json'
import type setting from './en/setting.json'
import type settled from './en/settled.json'
import type shell from './en/shell.json'
import type support from './en/support.json'
import type site from './en/site.json'
import type trade from './en/trade.json'
import type webhooks from './en/webhooks.json'

export type Areas = {
  readonly about: typeof about
  readonly accounts: typeof accounts
  readonly activity: typeof activity
  readonly addresses: typeof addresses
  readonly admission: typeof admission
  readonly agreement: typeof agreement
  readonly alerts: typeof alerts
  readonly apikeys: typeof apikeys
  readonly assets: typeof assets
  readonly auth: typeof auth
  readonly certify: typeof certify
  readonly chains: typeof chains
  readonly chart: typeof chart
  readonly closed: typeof closed
  readonly common: typeof common
  readonly convert: typeof convert
  readonly daily: typeof daily
  readonly deletion: typeof deletion
  readonly fields: typeof fields
  readonly firm: typeof firm
  readonly gates: typeof gates
  readonly home: typeof home
  readonly lend: typeof lend
  readonly limits: typeof limits
  readonly loans: typeof loans
  readonly margin: typeof margin
  readonly market: typeof market
  readonly markets: typeof markets
  readonly me: typeof me
  readonly notices: typeof notices
  readonly option: typeof option
  readonly orders: typeof orders
  readonly papers: typeof papers
  readonly perp: typeof perp
  readonly positions: typeof positions
  readonly practice: typeof practice
  readonly presale: typeof presale
  readonly proof: typeof proof
  readonly records: typeof records
  readonly referral: typeof referral
  readonly refusals: typeof refusals
  readonly reverify: typeof reverify
  readonly safety: typeof safety
  readonly setting: typeof setting
  readonly settled: typeof settled
  readonly shell: typeof shell
  readonly support: typeof support
  readonly site: typeof site
  readonly trade: typeof trade
  readonly webhooks: typeof webhooks
}
