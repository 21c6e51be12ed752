/** Terms of withdrawals: proposed by one member, approved by another, carried out by the core, closed by one alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Changes } from '../../operations/changes.ts'
import { operationsDb } from '../../operations/tables.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'

const world = consoleWorld()
const people: Member[] = []
const subject = 'USDT:TRC20'
const first = { isOpen: true, min: '10', fee: '1', autoMax: '100', singleMax: '1000' }

async function scene(): Promise<readonly [Member, Member]> {
  while (people.length < 2) people.push(await world().hire('risk'))
  world().pass(60_000)
  for (const one of people) await world().logIn(one)
  return people as unknown as readonly [Member, Member]
}

const send = ({ browser }: Member, path: string, body: object) => browser.send('POST', `/terms/networks${path}`, body)
const wish = (terms: object, about = subject) => ({ kind: 'withdrawal', subject: about, terms, reason: 'a good reason' })
async function propose(member: Member, terms: object): Promise<number> {
  const answer = await send(member, '', wish(terms))
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}
const termsNow = async ({ browser }: Member) =>
  (await browser.send('GET', '/terms/networks')).body.networks.find((one: { subject: string }) => one.subject === subject).terms

test('OPERATIONS-WITHDRAW-001: two members set the terms of withdrawals of an asset on a network, in the asset, and the change is public', async () => {
  const [rob, ria] = await scene()
  const { networks } = (await rob.browser.send('GET', '/terms/networks')).body
  assert.deepEqual(
    networks.map((one: { subject: string; assets: string[]; terms: unknown }) => [one.subject, one.assets, one.terms]),
    [
      ['USDT:TRC20', ['USDT'], null],
      ['TRX:TRC20', ['TRX'], null],
      ['USDT:ERC20', ['USDT'], null],
      ['ETH:ERC20', ['ETH'], null],
    ],
  )
  const id = await propose(rob, first)
  assert.equal(codeIn(await send(rob, `/${id}/approve`, {})), '403 SECOND_PERSON_NEEDED')
  assert.equal((await send(ria, `/${id}/approve`, {})).body.state, 'done')
  assert.deepEqual(await termsNow(rob), first)
  const [row] = world().core.exchange.chain.terms()
  assert.deepEqual(row, { asset: 1, network: 2, terms: { isOpen: true, min: 10e6, fee: 1e6, autoMax: 100e6, singleMax: 1_000e6 } })
  const changed = await propose(ria, { ...first, fee: '1.50' })
  const [shown] = (await rob.browser.send('GET', '/operations?area=networks&state=open')).body.operations
  assert.deepEqual([shown.differences, shown.assets], [[{ name: 'fee', before: '1', after: '1.5' }], ['USDT']])
  assert.equal((await send(rob, `/${changed}/approve`, {})).body.state, 'done')
  const changes = await new Changes(operationsDb(world().papers.world.store), world().core.ask).page()
  assert.deepEqual(
    changes.changes.map(({ kind, subject: about, differences }) => [kind, about, differences.map(({ name }) => name)]),
    [
      ['withdrawal', subject, ['fee']],
      ['withdrawal', subject, ['isOpen', 'min', 'fee', 'autoMax', 'singleMax']],
    ],
  )
})

test('OPERATIONS-WITHDRAW-002: terms that the core would refuse, and an asset or a network that is not configured, are refused when they are proposed', async () => {
  const [rob] = await scene()
  const refused = async (terms: object, about?: string) => codeIn(await send(rob, '', wish({ ...first, ...terms }, about)))
  for (const terms of [{ fee: '10' }, { autoMax: '1001' }, { min: '0' }, { fee: '0.0000001' }, { fee: '-1' }, { fee: 1 }])
    assert.equal(await refused(terms), '400 FIELD_INVALID', JSON.stringify(terms))
  for (const about of ['USDT:BEP20', 'ETH:TRC20', 'BTC:TRC20', 'USDT', 'usdt:trc20', 'USDT:TRC20:X'])
    assert.equal(await refused({ fee: '2' }, about), '400 FIELD_INVALID', about)
})

test('OPERATIONS-WITHDRAW-003: one member alone closes withdrawals at once; to open them again takes two', async () => {
  const [rob, ria] = await scene()
  const before = await termsNow(rob)
  assert.equal((await send(ria, '/close', { kind: 'withdrawal', subject, reason: 'the node is down' })).body.state, 'done')
  assert.deepEqual(await termsNow(rob), { ...before, isOpen: false })
  assert.equal(codeIn(await send(ria, '/close', { kind: 'withdrawal', subject, reason: 'again' })), '400 FIELD_INVALID')
  assert.equal(codeIn(await send(ria, '/close', { kind: 'withdrawal', subject: 'USDT:ERC20', reason: 'no terms' })), '400 FIELD_INVALID')
  const id = await propose(ria, { ...before, isOpen: true })
  assert.equal(codeIn(await send(ria, `/${id}/approve`, {})), '403 SECOND_PERSON_NEEDED')
  assert.equal((await send(rob, `/${id}/approve`, {})).body.state, 'done')
  assert.deepEqual(await termsNow(rob), before)
})
