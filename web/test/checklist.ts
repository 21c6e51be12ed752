/**
 * What the specification asks of every path, and what the app's own paths show, as keys of the locale files, so that the table holds in
 * every language.
 */

export type Place = {
  /** With a query where the screen needs one. `{ended}` stands for the number of a presale that has ended, `{firm}` for the customer's firm. */
  readonly path: string
  /** Keys of texts, parted by spaces. */
  readonly texts: string
  /** Paths to which the screen has links. */
  readonly links?: string
  /** CSS of elements without text. */
  readonly parts?: readonly string[]
  /** What is seen only after a tap. */
  readonly steps?: readonly Step[]
}

/** `tap`: the key of a button, tab or switch; `row`: the first row of a list. */
export type Step = { readonly texts: string } & ({ readonly tap: string } | { readonly row: string })

const tabs = 'shell.home shell.market shell.trade shell.assets shell.me'
const desks = 'trade.spot trade.futures trade.margin trade.optionsDesk'
const volumes = 'home.volume home.volume24h home.volume7d home.volume30d'
const pages = '/features /fees /contact /about /support'
const desk = `${tabs} ${desks} market.high market.low market.volume trade.ticket trade.book trade.readBook`
const sale = 'presale.price presale.startsAt presale.endsAt presale.supply presale.limit presale.lockUp presale.subscribed presale.rate'
const saleMore = `${sale} presale.participating presale.terms presale.overview presale.details presale.pool presale.risks presale.useOfFunds`
const token = 'presale.token presale.tokenName presale.tokenSymbol presale.totalSupply presale.network presale.paper presale.detailsHash'

const proof =
  'verify.title verify.lead verify.journal.title verify.journal.newest verify.journal.covers verify.journal.hash verify.journal.key verify.journal.since verify.journal.getVerifier verify.own.title verify.totals.title verify.receipt.title verify.file.title verify.file.choose verify.bounds.title verify.bounds.reserves.title verify.worth.title'

/** Places that look different to somebody without an account. */
export const forVisitors: readonly Place[] = [
  {
    path: '/',
    texts: `${tabs} ${volumes} home.headline common.register common.login home.byVolume home.gainers home.losers home.why shell.fees shell.volume30d`,
    links: `${pages} /market /login`,
  },
  {
    path: '/login',
    texts: 'common.login common.contact auth.password auth.showPassword auth.forgot auth.noAccount auth.createAccount',
    links: '/password /register',
  },
  {
    path: '/register',
    texts: 'common.register common.contact auth.invitation auth.sendCode auth.haveAccount gates.residence gates.chooseCountry common.login',
    links: '/login',
  },
  { path: '/password', texts: 'auth.resetTitle auth.resetLead common.contact auth.sendCode' },
  { path: '/spot', texts: `${desk} trade.buy trade.sell trade.price common.login`, links: '/deal /market /property' },
  { path: '/property', texts: `${tabs} assets.title assets.loginFirst common.login`, links: '/login' },
  { path: '/kyc', texts: 'papers.title papers.loginFirst common.login' },
  {
    path: '/join?code=ABCDEFGH',
    texts: 'referral.invitation referral.welcome common.register common.login referral.point.fees',
    links: '/register /login',
  },
  {
    path: '/reverify',
    texts: 'reverify.title reverify.introLead reverify.introPassword reverify.wayCode reverify.wayWait reverify.wayLink common.login',
  },
  {
    path: '/me',
    texts: `${tabs} me.visitor common.login common.register shell.language shell.settings shell.about me.presales`,
    links: '/lang /setting /about /support /sellList',
  },
  { path: '/proof', texts: `${proof} verify.own.loginFirst verify.receipt.loginFirst common.login`, links: '/login' },
  { path: '/nowhere', texts: 'shell.notFound shell.notFoundHint shell.goHome', links: '/' },
]

/** Places of a person with balances, orders and records, in the order in which they are opened. */
export const forCustomers: readonly Place[] = [
  {
    path: '/',
    texts: `${tabs} ${volumes} home.total home.today home.hideBalances home.quickDeposit home.quickConvert home.quickPresale home.quickInvite home.favourites home.gainers home.losers home.new home.byVolume home.alerts home.announcements home.support home.arrange home.to.features home.to.contact shell.about`,
    links: `${pages} /recharge /exchange /Second /sellList /join /alerts /announcements /daily`,
  },
  {
    path: '/password',
    texts: 'me.changePassword auth.changeWarning auth.current auth.newPassword auth.passwordAgain auth.setPassword auth.resetInstead',
  },
  {
    path: '/market',
    texts: `${tabs} market.title markets.search markets.favourites markets.new markets.categories markets.name markets.price markets.change markets.high markets.low markets.volume markets.sortBy trade.spot trade.futures`,
  },
  {
    path: '/daily',
    texts: `daily.title daily.views daily.markets daily.mine ${volumes} home.gainers home.losers home.byVolume daily.funding.title daily.funding.rate daily.funding.next`,
    steps: [{ tap: 'daily.mine', texts: 'daily.title daily.mine' }],
  },
  { path: '/alerts', texts: 'alerts.title alerts.lead alerts.armed alerts.new alerts.channels alerts.delete' },
  {
    path: '/spot',
    texts: `${desk} trade.buy trade.sell trade.kind.limit trade.price trade.percent trade.available trade.value trade.feeMaker orders.open orders.tab.trades orders.history orders.cancelAll orders.filledOf trade.trigger`,
    links: '/property /me /market',
    steps: [
      { tap: 'orders.tab.trades', texts: 'trade.trades' },
      { tap: 'orders.tab.assets', texts: 'orders.tab.assets' },
    ],
  },
  {
    path: '/contract',
    texts: `${desk} perp.mark perp.index perp.funding perp.buyLong perp.sellShort trade.bestBid trade.bestAsk perp.exits perp.reduceOnly perp.max perp.cost perp.estimatedLiquidation positions.positions positions.entry positions.margin positions.maintenance positions.roe perp.liquidation positions.reverse perp.close orders.history`,
    steps: [{ tap: 'orders.tab.trades', texts: 'trade.trades' }],
  },
  {
    path: '/Second',
    texts: `${tabs} ${desks} option.ticket option.side.up option.side.down option.rate option.duration option.stake option.available option.ifWin option.ifLose option.feeNone option.guard option.rules option.limits option.records settled.tab.current settled.tab.history option.transfer`,
  },
  {
    path: '/lever',
    texts: `${desk} margin.mode.cross margin.mode.isolated margin.level margin.assets margin.debt margin.interest margin.transfer margin.borrow margin.repay margin.autoBorrow margin.autoRepay margin.borrowable margin.held loans.hourlyRate loans.title loans.liquidations.title trade.buy trade.sell`,
    links: '/lend',
  },
  {
    path: '/contractkline?symbol=BTCUSDT',
    texts:
      'chart.more chart.indicators chart.draw chart.full chart.info chart.tab.book chart.tab.trades trade.buy trade.sell market.high market.low market.volume',
    parts: ['canvas'],
  },
  {
    path: '/entrust',
    texts:
      'orders.title orders.open orders.history orders.fills orders.allPairs orders.cancelAll trade.spot trade.futures orders.filledOf trade.trigger orders.change orders.cancel',
    steps: [{ tap: 'orders.history', texts: 'orders.history' }],
  },
  {
    path: '/entrust?product=perp',
    texts:
      'orders.title positions.positions orders.open orders.history orders.fills closed.closedPositions closed.entries.funding perp.liquidation',
    steps: [
      { tap: 'closed.closedPositions', texts: 'perp.long' },
      {
        row: 'main li button',
        texts:
          'accounts.move.pair closed.result closed.settleProfit closed.openPrice closed.openQuantity closed.openAmount closed.totalOpenAmount closed.settlePrice closed.fees closed.completedAt closed.holdingTime',
      },
    ],
  },
  {
    path: '/property',
    texts: `${tabs} assets.total assets.today assets.hide assets.deposit assets.withdraw assets.convert assets.transfer assets.records assets.account.spot assets.held assets.hideSmall assets.search accounts.worth.accounts accounts.name.spot accounts.name.perp accounts.name.option accounts.profit.title accounts.profit.curve accounts.profit.calendar accounts.profit.all`,
    links: '/recharge /withdrawel /exchange /transfer /propertyRecord /daily',
  },
  {
    path: '/propertyRecord',
    texts:
      'records.title records.filter records.all records.type.deposit records.type.withdrawal records.type.faucet records.type.transfer records.type.trade records.type.fee records.completed orders.export',
    steps: [
      {
        tap: 'records.filter',
        texts: 'records.kind records.asset records.account records.from records.to records.clear records.show records.allAccounts',
      },
      {
        row: 'main li button',
        texts: 'records.amount records.balance records.account records.status records.time records.number records.copy',
      },
    ],
  },
  {
    path: '/recharge',
    texts:
      'chains.deposit chains.coin chains.network chains.networkHint chains.qr chains.copy chains.checked chains.min chains.creditAfter chains.before chains.recentDeposits chains.records chains.state.credited',
  },
  {
    path: '/withdrawel',
    texts:
      'chains.withdraw chains.coin chains.network chains.to chains.all chains.available chains.min chains.today chains.fee chains.receive chains.next chains.recentWithdrawals chains.records chains.statuses.under-review',
    steps: [
      { row: 'main section li button', texts: 'chains.number chains.submitted chains.received chains.fee chains.statuses.under-review' },
    ],
  },
  {
    path: '/exchange',
    texts:
      'convert.title convert.from convert.to convert.available convert.all convert.turn convert.rate convert.turnRate convert.preview convert.spread convert.fee convert.limits convert.today convert.history',
  },
  {
    path: '/sellList',
    texts:
      'presale.title presale.lead presale.mine presale.group.live presale.group.upcoming presale.group.ended presale.standing.subscribing presale.state.upcoming presale.standing.locked presale.startsAt presale.endsAt presale.supply presale.lockUp presale.subscribed presale.participating presale.eligible.yes presale.ownSubscribed presale.ownAllocated',
  },
  {
    path: '/sellDetail?id=1',
    texts: `${saleMore} ${token} presale.paperGet presale.paperHash presale.timeline presale.releaseTitle presale.calculator presale.sharingTitle presale.joinMore`,
    steps: [{ tap: 'presale.joinMore', texts: 'presale.maximum presale.total presale.wouldGet presale.wouldCost' }],
  },
  {
    path: '/sellDetail?id={ended}',
    texts: `${saleMore} ${token} presale.sold presale.proceeds presale.released presale.locked presale.noPaper`,
  },
  {
    path: '/Sellrecord',
    texts:
      'presale.mine presale.standing.subscribing presale.standing.locked presale.ownSubscribed presale.purchasedAt presale.ownAllocated presale.cost presale.refunded presale.released presale.nextRelease presale.releases presale.records',
  },
  {
    path: '/transfer',
    texts:
      'accounts.move.title accounts.move.from accounts.move.to accounts.move.turn accounts.move.there accounts.move.now accounts.move.recent margin.coin margin.available margin.all accounts.name.spot accounts.name.perp accounts.name.margin-cross accounts.name.margin-isolated accounts.name.option',
  },
  {
    path: '/lend',
    texts: 'margin.lending lend.lead lend.mine lend.pools lend.earned lend.earnRate lend.utilization lend.withdraw lend.toMargin',
    links: '/lever',
  },
  {
    path: '/me',
    texts: `${tabs} me.papers me.certified me.withdrawalAddresses shell.language me.invitation me.safety me.feeTier me.futures shell.volume30d me.limits me.apiKeys shell.orders shell.records me.presales shell.settings shell.support shell.about me.logout`,
    links:
      '/kyc /safety /addresslist /lang /join /limits /apikeys /entrust /propertyRecord /sellList /proof /setting /support /about /notices',
  },
  {
    path: '/join',
    texts:
      'referral.title referral.code referral.link referral.poster referral.funnel referral.invited referral.verified referral.trading referral.earnings referral.total referral.today referral.tiers referral.volume referral.rules',
  },
  {
    path: '/safety',
    texts:
      'safety.title safety.passkeys safety.authenticator safety.email safety.phone safety.password safety.payment safety.phrase safety.list safety.history me.sessions safety.freeze safety.activity safety.deletion me.papers me.withdrawalAddresses me.limits',
    links: '/password /kyc /addresslist /activity /deletion /limits',
  },
  {
    path: '/activity',
    texts:
      'activity.title activity.lead activity.all activity.access activity.change activity.order activity.funds activity.since activity.until activity.csv activity.json activity.did.spotPlace',
  },
  {
    path: '/limits',
    texts:
      'limits.title limits.lead limits.lossDay limits.lossWeek limits.lossMonth limits.depositDay limits.sessionDay limits.check limits.coolOff limits.exclusion limits.figures',
  },
  {
    path: '/deletion',
    texts:
      'deletion.title deletion.lead deletion.erasedTitle deletion.keptTitle deletion.remainsTitle deletion.openOrders deletion.positions deletion.giveUp deletion.data deletion.delete',
  },
  { path: '/freeze', texts: 'safety.freezePage.title safety.freezePage.expired common.askSupport safety.freezePage.toLogin' },
  { path: '/reverify', texts: 'reverify.title reverify.own reverify.ownSafety reverify.ownPapers' },
  { path: '/kyc', texts: 'papers.title papers.certified papers.certifiedText papers.locked' },
  {
    path: '/apikeys',
    texts: 'apikeys.title apikeys.lead apikeys.read apikeys.trade apikeys.anywhere apikeys.neverUsed apikeys.create',
    links: '/webhooks',
  },
  {
    path: '/organization',
    texts: 'firm.title firm.lead firm.apply firm.role.owner',
    steps: [{ tap: 'firm.apply', texts: 'firm.applyLead firm.name firm.registration firm.country firm.applySend' }],
  },
  {
    path: '/organization?firm={firm}',
    texts: 'firm.worth firm.accounts firm.requests firm.members firm.rule firm.log firm.main firm.accountsHint firm.move firm.newAccount',
    steps: [
      { tap: 'firm.members', texts: 'firm.invite firm.role.owner' },
      { tap: 'firm.rule', texts: 'firm.withdrawals firm.newAddresses firm.ruleAndMembers firm.changeRule firm.terms' },
    ],
  },
  { path: '/webhooks', texts: 'webhooks.title webhooks.lead webhooks.empty webhooks.create' },
  { path: '/addresslist', texts: 'addresses.title addresses.lead addresses.ready addresses.own addresses.waiting addresses.add' },
  {
    path: '/addaddress',
    texts:
      'addresses.new addresses.address addresses.paste addresses.network addresses.networkHint addresses.whose addresses.own addresses.other addresses.name addresses.wait addresses.send',
  },
  { path: '/proof', texts: `${proof} verify.receipt.all` },
  { path: '/notices', texts: 'notices.title notices.settings notices.markAll notices.today notices.kind.withdrawal-requested.title' },
  {
    path: '/support',
    texts:
      'support.title support.lead support.safe support.tickets support.create support.questions support.topics.account support.states.open',
  },
  {
    path: '/setting',
    texts:
      'shell.settings setting.theme setting.themeSystem setting.themeDark setting.themeLight setting.colours setting.greenUp setting.redUp setting.colourBlind setting.textSize shell.language setting.totalIn setting.timeZone setting.confirmations setting.hideAtStart setting.haptics setting.reduceMotion setting.dataSaver setting.clear',
  },
  { path: '/lang', texts: 'shell.language' },
  {
    path: '/about',
    texts:
      'shell.about about.lead site.about.who site.about.reserves site.about.status about.documents shell.agreement about.licences about.api about.version about.commit about.changes about.announcements',
    links: '/proof /features /fees /contact /changes /announcements',
  },
  {
    path: '/features',
    texts:
      'site.features.title site.features.lead site.features.margin.title site.features.book.title site.features.charts.title site.features.api.title site.features.yours.title',
  },
  {
    path: '/fees',
    texts:
      'site.fees.title site.fees.lead site.fees.spot site.fees.futures site.fees.margin site.fees.second site.fees.convert site.fees.withdrawals shell.maker shell.taker shell.volume30d site.fees.breakEven',
  },
  {
    path: '/help',
    texts:
      'terms.page.title terms.page.lead terms.page.groups.prices terms.page.groups.orders terms.page.groups.futures terms.of.mark.name terms.of.funding.name terms.of.breakEven.name terms.of.proof.name',
  },
  {
    path: '/contact',
    texts: 'site.contact.title site.contact.desk site.contact.security site.contact.freeze site.contact.warning',
    links: '/support',
  },
  { path: '/changes', texts: 'about.news.title about.news.lead about.news.empty' },
  { path: '/announcements', texts: 'about.news.announcements.title about.news.announcements.empty' },
  {
    path: '/optionentrust',
    texts:
      'option.records settled.netAll settled.rateWon settled.wins settled.losses settled.ties settled.tab.current settled.tab.history option.side.down',
    steps: [
      { tap: 'settled.tab.history', texts: 'settled.filter settled.export' },
      {
        row: 'main [role=tabpanel] li button',
        texts: 'settled.openingQuantity settled.openingAmount settled.settlement settled.net settled.held settled.verify settled.again',
      },
    ],
  },
]

/** Places of a person who has not verified yet, with a draft of the data. */
export const forNewcomers: readonly Place[] = [
  {
    path: '/kyc?step=document',
    texts: 'papers.title papers.documentLead papers.idCard papers.passport papers.licence papers.bothSides papers.country',
  },
  { path: '/kyc?step=data', texts: 'papers.data papers.dataLead papers.name papers.born papers.number' },
  { path: '/kyc?step=front', texts: 'papers.front papers.take papers.choose papers.tipCorners papers.tipGlare papers.tipFill' },
]
