import { join } from 'node:path'
import type { Link } from '../../engine/link.ts'
import { type Gateway, startGateway } from '../../gateway/gateway.ts'
import type { Patience } from '../../gateway/options.ts'
import { topics } from '../../gateway/topics.ts'
import { Announcements } from '../../announcements/announcements.ts'
import { AddressBook } from '../../chains/book/book.ts'
import { isOurs } from '../../chains/addresses/ours.ts'
import { firmsOf } from '../../firms/membership.ts'
import { firmDb } from '../../firms/tables.ts'
import type { ChainsConfig } from '../../chains/config.ts'
import { DepositReading } from '../../chains/review/deposit-reading.ts'
import { DepositDesk } from '../../chains/review/deposits.ts'
import { WithdrawalDesk } from '../../chains/review/desk.ts'
import { heavyFlags } from '../../chains/review/flags.ts'
import { WithdrawalReading } from '../../chains/review/reading.ts'
import { Reviews } from '../../chains/review/reviews.ts'
import { ChainDesk } from '../../chains/review/chain-desk.ts'
import { Signatures } from '../../chains/review/signatures.ts'
import { reviewDb } from '../../chains/review/tables.ts'
import { defaultNetworks } from '../../chains/networks.ts'
import { Changes } from '../../operations/changes.ts'
import { StaffMarks } from '../../customers/marks.ts'
import { customersDb } from '../../customers/tables.ts'
import { Argon } from '../../identity/argon.ts'
import { Deletions } from '../../identity/gates/deletions.ts'
import type { Identity } from '../../identity/identity.ts'
import { LimitsDesk } from '../../identity/limits/desk.ts'
import { regainPolicies } from '../../identity/regain/policy.ts'
import { identityDb } from '../../identity/tables.ts'
import { remainsOf } from '../../live/accounts/remains.ts'
import { keyFor, Seal } from '../../identity/seal.ts'
import { Inbox } from '../../messages/inbox.ts'
import { openMessages } from '../../messages/messages.ts'
import { Dispatcher } from '../../notices/dispatcher.ts'
import { Notices } from '../../notices/notices.ts'
import { Push } from '../../notices/push.ts'
import type { AskTerms } from '../../operations/kinds.ts'
import { Operations } from '../../operations/operations.ts'
import { postingsPerDay } from '../../operations/posting-cap.ts'
import { PreparedPresales } from '../../operations/presale-reading.ts'
import { Decisions, TermsNow } from '../../operations/reading.ts'
import { operationsDb, uidOf, userOf } from '../../operations/tables.ts'
import { payingNetwork } from '../../operations/withdrawals.ts'
import { DailyReports } from '../../surveillance/daily.ts'
import { Reports } from '../../surveillance/reports.ts'
import { SurveillanceDesk } from '../../surveillance/surveillance.ts'
import { surveillanceDb } from '../../surveillance/tables.ts'
import { SupportDesk } from '../../support/desk.ts'
import { Sender } from '../../webhooks/sender.ts'
import { Webhooks } from '../../webhooks/webhooks.ts'
import type { Messages } from '../../ports.ts'
import { PapersDesk } from '../../papers/desk.ts'
import { Staff } from '../../staff/staff.ts'
import { certifyInCore, markInCore, revokeInCore, severOwn, tellCertified } from '../certified.ts'
import { faucetTerms } from '../defaults.ts'
import { openObjects } from '../photos.ts'
import { consoleUrlOf, type Ground, makeIdentity, publicUrlOf } from '../roles.ts'
import { serverKeysOf } from '../server-key.ts'
import { readVersion, root } from '../settings.ts'
import { chainsOf } from '../chains/config.ts'
import { openChains } from './chains-door.ts'
import { openFirms } from './firms-door.ts'
import { webhookRules } from './webhook-rules.ts'

export type DoorOptions = {
  readonly patience?: Patience | undefined
  /** Hashes passwords and codes of customers and staff: logins never take more than one core, whichever door they flood. */
  readonly argon?: Argon | undefined
}

/** Starts the gateway with its database access. */
export async function startDoor({ settings, store, logger }: Ground, link: Link, options: DoorOptions = {}): Promise<Gateway> {
  const { patience = {}, argon = new Argon() } = options
  const inbox = settings.mode === 'sandbox' ? new Inbox(store) : undefined
  const messages = await openMessages({ smtpUrl: settings.smtpUrl, smsUrl: settings.smsUrl, from: settings.mailFrom, inbox })
  const chains = openChains(settings)
  const identity = makeIdentity({ settings, store, logger }, link, messages, argon, (account) => papers.countryOf(account))
  const webhooks = openWebhooks({ settings, store, logger }, link, identity)
  const papers = openPapers({ settings, store, logger }, link, identity)
  const staff = new Staff({
    ...{ store, mode: settings.mode, serverKeys: serverKeysOf(settings), messages, publicUrl: consoleUrlOf(settings), argon },
    onFault: (cause) => logger.warn({ err: cause }, 'the staff could not be looked after'),
  })
  const { desk, ...news } = openOperations({ settings, store, logger }, link, staff)
  const own = startOwnLimits({ settings, store, logger }, link, identity)
  const marks = startMarks({ settings, store, logger }, link, staff)
  const deletions = openDeletions({ settings, store, logger }, link, identity)
  const { surveillance, daily } = openSurveillance({ settings, store, logger }, staff)
  const book = openBook({ settings, store, logger }, identity, chains.config)
  const reviewing = openReviews({ settings, store, logger }, link, book, staff)
  const tickets = openTickets({ settings, store, logger }, papers, staff)
  const firms = openFirms({ settings, store, logger }, link, identity, staff)
  const notified = startNotices({ settings, store, logger }, messages, identity)
  await papers.finish()
  await identity.coreFreezes.finish()
  await identity.residences.finish()
  await firms.openings.finish()
  await deletions.finish()
  await tellCertified(store, link.submit, identity)
  await desk.operations.finish()
  const gateway = await startGateway({
    host: settings.host,
    port: settings.port,
    ...{ mode: settings.mode, publicUrls: settings.publicUrls, consolePort: settings.consolePort, consoleUrl: settings.consoleUrl },
    trustedProxies: settings.trustedProxies ?? [],
    hosts: settings.hosts ?? [],
    metricsToken: settings.metricsToken,
    ...{ slowMs: settings.slowMs, traces: settings.traces },
    listenSecret: keyFor(serverKeysOf(settings).newest, 'listen-key'),
    ...readVersion(),
    webFolder: join(root, 'web', 'dist'),
    consoleFolder: join(root, 'console', 'dist'),
    diskFolder: settings.dataFolder,
    faucet: faucetTerms,
    support: settings.support,
    unservedCountries: settings.unservedCountries,
    link,
    store,
    identity,
    deletions,
    ...{ webhooks, book, chains, papers, firms },
    notices: notified.notices,
    push: notified.push,
    ...{ own, staff, desk, marks, surveillance, tickets, withdrawals: reviewing.withdrawals, deposits: reviewing.deposits, ...news },
    networks: chainsOf(settings)?.networks ?? [],
    inbox,
    logger,
    socketsPerAddress: settings.socketsPerAddress,
    patience,
  })
  return {
    url: gateway.url,
    port: gateway.port,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await daily[Symbol.asyncDispose]()
      await reviewing.reviews[Symbol.asyncDispose]()
      await notified[Symbol.asyncDispose]()
      await own[Symbol.asyncDispose]()
      await desk.operations[Symbol.asyncDispose]()
      marks[Symbol.dispose]()
      await staff[Symbol.asyncDispose]()
      for (const room of [firms, tickets, papers]) room[Symbol.dispose]()
      webhooks[Symbol.dispose]()
      deletions[Symbol.dispose]()
      await identity[Symbol.asyncDispose]()
      await messages[Symbol.asyncDispose]()
    },
  }
}

/** The customers' webhooks. The follower, which sends, says when one has failed for so long that its owner must know. */
function openWebhooks({ settings, store, logger }: Ground, link: Link, { owners }: Identity): Webhooks {
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'a webhook could not be looked after')
  const seal = new Seal(serverKeysOf(settings), 'webhook')
  const webhooks = new Webhooks({
    ...{ store, rules: webhookRules(settings), owners, onFault },
    seal: (secret, webhook) => seal.close(secret, webhook),
  })
  link.onPublished(topics.webhooks, (what) => {
    if (what === 'off') webhooks.tellOwners().catch(onFault)
  })
  webhooks.tellOwners().catch(onFault)
  return webhooks
}

/** The withdrawal addresses of customers. */
function openBook(
  { settings, store, logger }: Ground,
  { factors, allowLists: locks, owners }: Identity,
  config: ChainsConfig | undefined,
): AddressBook {
  return new AddressBook({
    ...{ store, factors, locks, owners, networks: config?.networks ?? defaultNetworks },
    seal: new Seal(serverKeysOf(settings), 'beneficiary'),
    isOurs: (network, address) => isOurs(store.pool, config, network, address),
    onFault: (cause) => logger.warn({ err: cause }, 'a withdrawal address could not be looked after'),
  })
}

/** Requests for withdrawals and held deposits: what is found about them, and the people who decide and sign. */
function openReviews({ settings, store, logger }: Ground, { ask, submit }: Link, book: AddressBook, { passkeys }: Staff) {
  const { pool } = store
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'a request for a withdrawal could not be looked at')
  const reviews = new Reviews({ pool, clock: Date.now, ask, submit, heavy: heavyFlags[settings.mode], onFault }).start()
  const db = reviewDb(store)
  const desk = new WithdrawalDesk({ db, clock: Date.now, reviews })
  const networks = chainsOf(settings)?.networks ?? []
  const reading = new WithdrawalReading({ pool, db, clock: Date.now, networks, book })
  const deposits = {
    desk: new DepositDesk({ db, clock: Date.now }),
    reading: new DepositReading({ pool, clock: Date.now, ask, networks }),
  }
  const signatures = new Signatures({ db, clock: Date.now, passkeys, networks })
  const chain = new ChainDesk({ db, clock: Date.now })
  return { reviews, withdrawals: { desk, reading, signatures, chain }, deposits }
}

/** The staff's decisions about terms, and what everybody learns of them. */
function openOperations({ settings, store, logger }: Ground, { ask: core, submit }: Link, { log }: Staff) {
  const db = operationsDb(store)
  const networks = (chainsOf(settings)?.networks ?? []).map(payingNetwork)
  const ask: AskTerms = { ...core, networks, uidOf: (user) => uidOf(db, user), userOf: (uid) => userOf(db, uid) }
  const parts = { db, clock: Date.now, ask }
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'a decision could not be carried out yet')
  return {
    desk: {
      operations: new Operations({ ...parts, submit, log, postingsPerDay: settings.postingsPerDay ?? postingsPerDay, onFault }),
      decisions: new Decisions(parts),
      terms: new TermsNow(parts),
      presales: new PreparedPresales(parts),
    },
    changes: new Changes(parts.db, ask),
    announcements: new Announcements(store, Date.now, log),
  }
}

/** Customers' own limits, which are compared with their losses from here on. */
function startOwnLimits({ settings, store, logger }: Ground, { submit }: Link, { factors, keys }: Identity): LimitsDesk {
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'a customer’s own limit could not be looked after')
  return new LimitsDesk({ store, factors, submit, keys, mode: settings.mode, onFault })
}

function openPapers({ settings, store, logger }: Ground, { submit }: Link, { owners, residences, invitations }: Identity): PapersDesk {
  return new PapersDesk({
    ...{ store, serverKeys: serverKeysOf(settings), objects: openObjects(settings), owners },
    certify: async (user, country) => {
      await severOwn(submit, user, await invitations.sharedWith(user))
      await certifyInCore(submit, user, await residences.homeOf(user, country))
    },
    revoke: (user) => revokeInCore(submit, user),
    regainWaits: regainPolicies[settings.mode],
    onFault: (cause) => logger.warn({ err: cause }, 'an identity check could not be looked after'),
  })
}

/** Tickets of customers. Their pictures lie where those of documents do. */
function openTickets({ settings, store, logger }: Ground, { mark }: PapersDesk, { log }: Staff): SupportDesk {
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'tickets could not be looked after')
  return new SupportDesk({ store, serverKeys: serverKeysOf(settings), objects: openObjects(settings), log, mark, onFault })
}

/** Customer accounts of the staff. */
function startMarks({ store, logger }: Ground, { submit }: Link, { log }: Staff): StaffMarks {
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'the core could not be told of an account of the staff')
  return new StaffMarks({ db: customersDb(store), clock: Date.now, log, mark: (user) => markInCore(submit, user), onFault })
}

/** What the staff see of the daily reports, and what makes these. */
function openSurveillance({ store, logger }: Ground, { log }: Staff) {
  const reports = new Reports({ store, clock: Date.now })
  const daily = new DailyReports(reports, (cause) => logger.warn({ err: cause }, 'a report of surveillance could not be made yet'))
  return { surveillance: new SurveillanceDesk({ db: surveillanceDb(store), clock: Date.now, log, reports }), daily }
}

function openDeletions({ settings: { mode }, store, logger }: Ground, link: Link, identity: Identity): Deletions {
  const { factors, sessions, keys, coreFreezes: core, owners } = identity
  return new Deletions({
    ...{ db: identityDb(store), clock: Date.now, mode, factors, sessions, keys, core, owners },
    async holdingsOf(user) {
      const { balances, ...counts } = await remainsOf(link.ask, user)
      return { funds: balances.length, ...counts, firms: await firmsOf(firmDb(store), user) }
    },
    onFault: (cause) => logger.warn({ err: cause }, 'an account could not be deleted'),
  })
}

/** The customers' notices, and what sends them by mail, message and push. A session that ends takes its browser's subscription along. */
function startNotices({ settings, store, logger }: Ground, messages: Messages, identity: Identity) {
  const keys = serverKeysOf(settings)
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'a notice could not be sent')
  const publicUrl = publicUrlOf(settings)
  const rules = { hasLoopback: settings.hasLoopbackPush ?? false }
  const sender = new Sender({ rules, timeoutMs: 10_000 })
  const push = new Push({
    ...{ store, sender, rules },
    seals: { target: new Seal(keys, 'push-target'), key: new Seal(keys, 'push-key') },
    contact: publicUrl.startsWith('https:') ? publicUrl : 'mailto:no-reply@candor.invalid',
  })
  const stopHearing = identity.sessions.onRevoked(({ sessions }) => void push.endOf(sessions).catch(onFault))
  const dispatcher = new Dispatcher({
    ...{ pool: store.pool, messages, onFault },
    phraseOf: (account) => identity.phrases.of(account),
    mayText: (account, kind) => identity.mayText(account, kind),
    freezeLink: (account) => identity.freezeLinks.next(account),
    push: (to) => push.send(to),
  })
  return {
    ...{ notices: new Notices(store), push },
    async [Symbol.asyncDispose]() {
      stopHearing()
      await dispatcher[Symbol.asyncDispose]()
      sender[Symbol.dispose]()
    },
  }
}
