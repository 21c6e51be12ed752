import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { paperBytesMax } from '@candor/core/protocol/wire/console/presale.ts'
import { practicePaper } from '../../../main/first/paper.ts'
import { codeIn, consoleWorld, type Member } from '../../test/console-world.ts'
import { deciding } from '../../operations/test/deciding.ts'
import { details, issue, terms, text, token } from './preparing.ts'

const day = 86_400_000
const world = consoleWorld()
const { scene, send, read, propose, approve } = deciding(world)

const post = (member: Pick<Member, 'browser'>, path: string, body: object) => member.browser.send('POST', path, body)
const upload = (member: Pick<Member, 'browser'>, bytes: Buffer) => post(member, '/presales/papers', { pdf: bytes.toString('base64') })
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
const open = () => world().core.exchange.presale.all()

/** Members of risk and compliance in a world that has the token. */
async function staged() {
  const people = await scene()
  const { core } = world()
  if (!core.exchange.listing().assets.some(({ symbol }) => symbol === token)) await issue(core)
  return people
}

async function prepare(member: Member, title: string, number?: number): Promise<{ readonly number: number; readonly hash: string }> {
  const answer = await post(member, '/presales/details', { ...(number === undefined ? {} : { number }), details: details(title) })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const shown = async (member: Member, number: number) =>
  (await read(member, '/presales')).presales.find(({ subject }: { subject: string }) => subject === `${number}:${token}`)

/** Prepares and opens a presale by two members. */
async function opened(rob: Member, ria: Member, title: string) {
  const { number, hash } = await prepare(rob, title)
  const wish = { kind: 'presale', subject: `${number}:${token}`, terms: terms(hash, world().clock()) }
  assert.equal((await approve(ria, 'presales', await propose(rob, 'presales', wish))).body.state, 'done')
  return { number, hash, wish }
}

test('CONSOLE-PRESALE-001: one member prepares texts and a whitepaper and proposes terms that name them, another reads the same ones and opens the presale', async () => {
  const { rob, ria, carl } = await staged()
  const paper = practicePaper()
  const { hash: paperHash } = (await upload(rob, paper)).body
  assert.equal(paperHash, sha256(paper))
  const { number, hash } = await prepare(rob, 'First')
  const subject = `${number}:${token}`
  const draft = await shown(carl, number)
  assert.deepEqual([draft.title, draft.state, draft.terms, draft.preparedBy, draft.sold], ['First', 'draft', null, rob.email, null])
  const wish = { kind: 'presale', subject, terms: terms(hash, world().clock(), paperHash) }
  const id = await propose(rob, 'presales', wish)
  assert.equal(codeIn(await send(ria, 'presales', { ...wish, reason: 'another' })), '409 PROPOSAL_OPEN')
  assert.equal(codeIn(await approve(rob, 'presales', id)), '403 SECOND_PERSON_NEEDED')
  const decision = (await read(ria, '/operations?area=presales&state=open')).operations[0]
  assert.deepEqual([decision.id, decision.subject, decision.assets], [id, subject, [token]])
  const named = Object.fromEntries(decision.differences.map(({ name, after }: { name: string; after: unknown }) => [name, after]))
  assert.deepEqual([named['detailsHash'], named['documentHash'], named['release']], [hash, paperHash, 'linear'])
  assert.deepEqual(await read(ria, `/presales/details/${named['detailsHash']}`), details('First'))
  const file = await ria.browser.send('GET', `/presales/papers/${named['documentHash']}`)
  assert.deepEqual([file.status, file.headers['content-type'], sha256(file.raw)], [200, 'application/pdf', paperHash])
  assert.match(String(file.headers['content-disposition']), /^attachment/)
  assert.deepEqual(open(), [])
  assert.equal((await approve(ria, 'presales', id)).body.state, 'done')
  const [sale] = open()
  assert.deepEqual([sale!.presale, sale!.terms.detailsHash, sale!.terms.documentHash], [number, hash, paperHash])
  assert.deepEqual([sale!.terms.supply, sale!.terms.price], [1_000_000_000, { pay: 50_000, per: 1_000_000 }])
  assert.deepEqual((await shown(rob, number)).terms, { ...wish.terms, pricePay: '0.05', pricePer: '1' })
})

test('CONSOLE-PRESALE-002: other texts count only when another decision of two names them', async () => {
  const { rob, ria } = await staged()
  const { number, hash, wish } = await opened(rob, ria, 'Before')
  world().pass(1_000)
  const later = await prepare(ria, 'After', number)
  assert.equal(later.number, number)
  assert.notEqual(later.hash, hash)
  const now = await shown(rob, number)
  assert.deepEqual([now.hash, now.title, now.terms.detailsHash], [later.hash, 'After', hash])
  const sale = () => open().find(({ presale }) => presale === number)!
  assert.equal(sale().terms.detailsHash, hash)
  const id = await propose(rob, 'presales', { ...wish, terms: { ...wish.terms, detailsHash: later.hash } })
  assert.deepEqual(
    (await read(ria, `/operations/${id}`)).differences.map(({ name }: { name: string }) => name),
    ['detailsHash'],
  )
  assert.equal((await approve(ria, 'presales', id)).body.state, 'done')
  assert.equal(sale().terms.detailsHash, later.hash)
})

test('CONSOLE-PRESALE-003: terms that make no sense, or that name texts of another presale or no whitepaper, are refused with the term', async () => {
  const { rob, ria } = await staged()
  const { number, hash } = await prepare(rob, 'Wrong')
  const other = await prepare(rob, 'Another')
  const [good, subject] = [terms(hash, world().clock()), `${number}:${token}`]
  for (const [change, field] of [
    [{ detailsHash: other.hash }, 'terms.detailsHash'],
    [{ detailsHash: '' }, 'terms.detailsHash'],
    [{ detailsHash: 'xyz' }, 'terms.detailsHash'],
    [{ documentHash: '0'.repeat(64) }, 'terms.documentHash'],
    [{ token: 'BTC' }, 'terms.token'],
    [{ pricePay: '0' }, 'terms.price'],
    [{ supply: '0.0000001' }, 'terms.supply'],
    [{ purchaseLimit: '1000.1' }, 'terms.purchaseLimit'],
    [{ subscriptionMax: '9' }, 'terms.subscriptionMax'],
    [{ softCap: '50.1' }, 'terms.softCap'],
    [{ endsAt: good['startsAt'] }, 'terms.endsAt'],
    [{ release: 'sometimes' }, 'terms.release'],
    [{ lockDays: 0 }, 'terms.lockDays'],
    [{ release: 'steps', steps: [{ day: 30, ppm: 700_000 }] }, 'terms.steps'],
  ] as const) {
    const refused = await send(rob, 'presales', { kind: 'presale', subject, reason: 'why', terms: { ...good, ...change } })
    assert.deepEqual(
      [codeIn(refused), refused.body.details?.field ?? refused.body.field],
      ['400 FIELD_INVALID', field],
      JSON.stringify(change),
    )
  }
  const past = { startsAt: 1, endsAt: day }
  const wish = { kind: 'presale', subject, reason: 'why', terms: { ...good, ...past } }
  assert.equal(codeIn(await send(rob, 'presales', wish)), '409 PRESALE_STATE')
  for (const strange of [`${number}:BTC`, `${number}:NONE`, `0:${token}`, token])
    assert.equal(codeIn(await send(rob, 'presales', { ...wish, subject: strange, terms: good })), '400 FIELD_INVALID', strange)
  // What the exchange does not have the core refuses, and the decision says so.
  const id = await propose(rob, 'presales', { ...wish, terms: { ...good, supply: '2000000' } })
  assert.equal(codeIn(await approve(ria, 'presales', id)), '409 PRESALE_SUPPLY')
  assert.equal((await read(ria, `/operations/${id}`)).refusal, 'PRESALE_SUPPLY')
})

test('CONSOLE-PRESALE-004: cancelling takes two members and a reason, and happens once', async () => {
  const { rob, ria, carl } = await staged()
  const { number, wish } = await opened(rob, ria, 'Cancelled')
  const cancel = { kind: 'presale-cancel', subject: `${number}:${token}`, terms: { isCancelled: true } }
  assert.equal(codeIn(await send(rob, 'presales', cancel)), '400 FIELD_MISSING')
  assert.equal(codeIn(await send(rob, 'presales', { ...cancel, reason: 'why', terms: { isCancelled: false } })), '400 FIELD_INVALID')
  assert.equal(codeIn(await send(carl, 'presales', { ...cancel, reason: 'why' })), '403 FORBIDDEN')
  assert.equal(codeIn(await send(rob, 'presales/close', { ...cancel, reason: 'why' })), '404 NOT_FOUND')
  const id = await propose(rob, 'presales', cancel)
  assert.equal(codeIn(await approve(rob, 'presales', id)), '403 SECOND_PERSON_NEEDED')
  assert.equal((await approve(ria, 'presales', id)).body.state, 'done')
  assert.equal(
    open().some(({ presale, isEnded }) => presale === number && !isEnded),
    false,
  )
  const command = world().core.sent.at(-1)!
  assert.deepEqual(command.type === 'exchange.operate' && command.change, { type: 'presale.cancel', presale: number })
  assert.equal(codeIn(await send(rob, 'presales', { ...cancel, reason: 'again' })), '400 FIELD_INVALID')
  // Its number is not used again.
  const again = await propose(rob, 'presales', wish)
  assert.equal(codeIn(await approve(ria, 'presales', again)), '409 PRESALE_STATE')
})

test('CONSOLE-PRESALE-005: texts need English, a token that is listed, and its presale; a whitepaper is a PDF of at most 8 MB', async () => {
  const { rob, ria, carl } = await staged()
  const { number } = await prepare(rob, 'Texts')
  const good = details('Texts')
  for (const [draft, code] of [
    [{ details: { ...good, token: 'NONE' } }, '400 FIELD_INVALID'],
    [{ details: { ...good, token: 'USDT' } }, '400 FIELD_INVALID'],
    [{ number, details: { ...good, token: 'BTC' } }, '400 FIELD_INVALID'],
    [{ number: 999_999, details: good }, '404 PRESALE_UNKNOWN'],
    [{ details: { ...good, texts: { de: text('Nur Deutsch') } } }, '400 FIELD_MISSING'],
    [{ details: { ...good, texts: { en: { ...text('x'), risks: ' ' } } } }, '400 FIELD_INVALID'],
    [{ details: { ...good, texts: { en: text('a\u202eb') } } }, '400 FIELD_INVALID'],
    [{ details: { ...good, texts: { ...good.texts, xx: text('x') } } }, '400 FIELD_UNKNOWN'],
  ] as const)
    assert.equal(codeIn(await post(rob, '/presales/details', draft)), code, JSON.stringify(draft).slice(0, 80))
  world().pass(60_000)
  for (const member of [rob, ria, carl]) await world().logIn(member)
  const long = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(paperBytesMax), Buffer.from('%%EOF\n')])
  for (const [bytes, code] of [
    [Buffer.from('<html>%%EOF'), '415 MEDIA_TYPE_UNSUPPORTED'],
    [Buffer.from('%PDF-1.4 cut off'), '415 MEDIA_TYPE_UNSUPPORTED'],
    [long, '413 BODY_TOO_LARGE'],
  ] as const) {
    world().pass(60_000)
    await world().logIn(ria)
    assert.equal(codeIn(await upload(ria, bytes)), code)
  }
  const largest = Buffer.concat([long.subarray(0, paperBytesMax - 6), Buffer.from('%%EOF\n')])
  world().pass(60_000)
  await world().logIn(rob)
  assert.equal((await upload(rob, largest)).body.hash, sha256(largest))
  await world().logIn(carl)
  assert.equal(codeIn(await upload(carl, practicePaper())), '403 FORBIDDEN')
  assert.equal(codeIn(await post(carl, '/presales/details', { details: good })), '403 FORBIDDEN')
  assert.equal(codeIn(await carl.browser.send('GET', `/presales/details/${'0'.repeat(64)}`)), '404 NOT_FOUND')
})
