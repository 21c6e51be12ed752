import { randomBytes } from 'node:crypto'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { sidesOf } from '@candor/core/protocol/wire/papers.ts'
import type { Link } from '../../engine/link.ts'
import type { Identity } from '../../identity/identity.ts'
import { PapersDesk } from '../../papers/desk.ts'
import type { Reviewer } from '../../papers/reviews.ts'
import { papersDb, type PapersTables } from '../../papers/tables.ts'
import { StaffLog } from '../../staff/log.ts'
import { staffDb } from '../../staff/tables.ts'
import { certify, certifyInCore, revokeInCore } from '../certified.ts'
import { openObjects } from '../photos.ts'
import { type Ground, makeIdentity } from '../roles.ts'
import { serverKeysOf } from '../server-key.ts'
import { documentPhoto } from './documents.ts'
import { demoPerson, type DemoPerson, type DemoState, demoStates } from './people.ts'
import { Traders } from './traders.ts'

export type Filled = {
  /** Of the customers that were added. */
  readonly password: string
  readonly counts: Readonly<Record<DemoState, number>>
  /** False: there was no price yet, so nobody traded. */
  readonly hasTraded: boolean
}

const visitor = { ip: 'command line', userAgent: 'candor' }

/**
 * Fills a sandbox with customers in every state of the identity check, some of them with orders, positions and loans to the pool, and some
 * frozen by their owners. Those that exist are left as they are, so that a second run only adds what is missing.
 */
export async function fillDemo(ground: Ground, link: Link, count: number): Promise<Filled> {
  await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() })
  using office = openOffice(ground, link, identity)
  const traders = await Traders.open(link)
  const password = randomBytes(9).toString('base64url')
  const frozen: DemoPerson[] = []
  const counts = Object.fromEntries(demoStates.map((state) => [state, 0])) as Record<DemoState, number>
  for (let index = 0; index < count; index++) {
    const person = demoPerson(index)
    const { account, user, isNew } = await identity.createUser({
      email: person.email,
      password,
      class: 'retail',
      country: person.document.country,
    })
    if (!isNew) continue
    await bring(person, account, office, ground)
    if (isCertified(person)) await certify(link.submit, identity, account, user as UserId)
    if (person.state === 'trading' || person.state === 'frozen') await traders.equip(user as UserId)
    if (person.state === 'frozen') frozen.push(person)
    counts[person.state]++
  }
  const hasTraded = await traders.trade()
  for (const { email } of frozen) await freeze(identity, email, password)
  return { password, counts, hasTraded }
}

const isCertified = ({ state }: DemoPerson): boolean => state === 'certified' || state === 'trading' || state === 'frozen'

/** The owner logs in and freezes the account, with its positions. */
async function freeze(identity: Identity, to: string, password: string): Promise<void> {
  const { token } = await identity.login({ channel: 'email', to, password, lang: 'en' }, visitor)
  const session = await identity.sessions.find(token)
  if (session === undefined) throw new Error(`${to} has no session`)
  await identity.freezes.byOwner(session, visitor)
}

/** Brings the identity check of a new customer to its state. */
async function bring(person: DemoPerson, account: string, { papers, reviews }: PapersDesk, ground: Ground): Promise<void> {
  const { state, document } = person
  if (state === 'new' || isCertified(person)) return
  const who = { account, visitor }
  await papers.save(who, document)
  await papers.addPhoto(who, 'front', await documentPhoto(person, 'front'))
  if (state === 'draft') return
  for (const side of sidesOf(document.kind)) if (side !== 'front') await papers.addPhoto(who, side, await documentPhoto(person, side))
  await papers.send(who)
  if (state === 'waiting') return
  const sent = papersDb(ground.store).selectFrom('papers').select('id').where('account', '=', account).where('state', '=', 'waiting')
  const { id } = await sent.executeTakeFirstOrThrow()
  const reviewer = demoReviewer(ground)
  await reviews.claim(id, reviewer)
  await reviews.reject(id, [{ field: 'front', reason: 'glare' }], reviewer)
}

/** Who has sent back the checks of the demonstration. It is nobody of the staff, and the log says so. */
function demoReviewer({ store }: Ground): Reviewer {
  const log = new StaffLog(staffDb(store), Date.now)
  return {
    ...{ name: 'candor demo', visitor },
    note: (tx, action, subject, after) => log.write<PapersTables>(tx, { visitor }, { action, subject, ...(after && { after }) }),
  }
}

function openOffice({ settings, store, logger }: Ground, link: Link, { owners }: Identity): PapersDesk {
  return new PapersDesk({
    ...{ store, serverKeys: serverKeysOf(settings), objects: openObjects(settings), owners },
    certify: (user) => certifyInCore(link.submit, user),
    revoke: (user) => revokeInCore(link.submit, user),
    onFault: (cause) => logger.warn({ err: cause }, 'an identity check could not be looked after'),
  })
}
