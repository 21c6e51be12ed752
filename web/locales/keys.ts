/** All keys of texts. A new area needs a JSON file in each language and two lines here. */
import type about from './en/about.json'
import type accounts from './en/accounts.json'
import type activity from './en/activity.json'
import type addresses from './en/addresses.json'
import type admission from './en/admission.json'
import type agreement from './en/agreement.json'
import type alerts from './en/alerts.json'
import type algo from './en/algo.json'
import type apikeys from './en/apikeys.json'
import type assets from './en/assets.json'
import type auth from './en/auth.json'
import type certify from './en/certify.json'
import type chains from './en/chains.json'
import type chart from './en/chart.json'
import type closed from './en/closed.json'
import type common from './en/common.json'
import type convert from './en/convert.json'
import type costs from './en/costs.json'
import type daily from './en/daily.json'
import type deletion from './en/deletion.json'
import type exits from './en/exits.json'
import type explain from './en/explain.json'
import type fields from './en/fields.json'
import type firm from './en/firm.json'
import type first from './en/first.json'
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
import type receipts from './en/receipts.json'
import type records from './en/records.json'
import type referral from './en/referral.json'
import type refusals from './en/refusals.json'
import type reserves from './en/reserves.json'
import type reverify from './en/reverify.json'
import type safety from './en/safety.json'
import type setting from './en/setting.json'
import type settled from './en/settled.json'
import type share from './en/share.json'
import type shell from './en/shell.json'
import type shortcuts from './en/shortcuts.json'
import type support from './en/support.json'
import type signals from './en/signals.json'
import type site from './en/site.json'
import type terminal from './en/terminal.json'
import type terms from './en/terms.json'
import type tour from './en/tour.json'
import type trade from './en/trade.json'
import type verify from './en/verify.json'
import type webhooks from './en/webhooks.json'

export type Areas = {
  readonly about: typeof about
  readonly accounts: typeof accounts
  readonly activity: typeof activity
  readonly addresses: typeof addresses
  readonly admission: typeof admission
  readonly agreement: typeof agreement
  readonly alerts: typeof alerts
  readonly algo: typeof algo
  readonly apikeys: typeof apikeys
  readonly assets: typeof assets
  readonly auth: typeof auth
  readonly certify: typeof certify
  readonly chains: typeof chains
  readonly chart: typeof chart
  readonly closed: typeof closed
  readonly common: typeof common
  readonly convert: typeof convert
  readonly costs: typeof costs
  readonly daily: typeof daily
  readonly deletion: typeof deletion
  readonly exits: typeof exits
  readonly explain: typeof explain
  readonly fields: typeof fields
  readonly firm: typeof firm
  readonly first: typeof first
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
  readonly receipts: typeof receipts
  readonly records: typeof records
  readonly referral: typeof referral
  readonly refusals: typeof refusals
  readonly reserves: typeof reserves
  readonly reverify: typeof reverify
  readonly safety: typeof safety
  readonly setting: typeof setting
  readonly settled: typeof settled
  readonly share: typeof share
  readonly shell: typeof shell
  readonly shortcuts: typeof shortcuts
  readonly support: typeof support
  readonly signals: typeof signals
  readonly site: typeof site
  readonly terminal: typeof terminal
  readonly terms: typeof terms
  readonly tour: typeof tour
  readonly trade: typeof trade
  readonly verify: typeof verify
  readonly webhooks: typeof webhooks
}
