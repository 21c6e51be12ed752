import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeIn, consoleWorld, type Member } from './console-world.ts'

const world = consoleWorld()
const people: Member[] = []

/** Two members of risk and one of compliance, logged in. */
async function scene() {
  if (people.length === 0) for (const role of ['risk', 'risk', 'compliance', 'compliance'] as const) people.push(await world().hire(role))
  for (const one of people) await world().logIn(one)
  return { rob: people[0]!, ria: people[1]!, carl: people[2]!, cora: people[3]! }
}

const termsOf = async ({ browser }: Member, subject: string) => {
  const { markets } = (await browser.send('GET', '/terms/markets')).body
  return markets.find((one: { subject: string }) => one.subject === subject).terms
}

async function propose({ browser }: Member, area: string, wish: object): Promise<number> {
  const answer = await browser.send('POST', `/terms/${area}`, { reason: 'a good reason', ...wish })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}
const approve = ({ browser }: Pick<Member, 'browser'>, area: string, id: number, body: object = {}) =>
  browser.send('POST', `/terms/${area}/${id}/approve`, body)

test('OPERATIONS-TERMS-001: one member proposes new terms with a reason, another approves, and the core carries them out', async () => {
  const { rob, ria } = await scene()
  const terms = await termsOf(rob, 'BTCUSDT')
  assert.deepEqual([terms.takerFeePpm, terms.notionalMin, terms.lotsMin], [1_000, '5', '0.00001'])
  const wish = { kind: 'spot', subject: 'BTCUSDT', terms: { ...terms, takerFeePpm: 900, notionalMin: '10' } }
  const id = await propose(rob, 'markets', wish)
  assert.equal((await termsOf(ria, 'BTCUSDT')).takerFeePpm, 1_000)
  const [shown] = (await ria.browser.send('GET', '/operations?state=open')).body.operations
  assert.deepEqual([shown.id, shown.proposedBy, shown.reason, shown.assets], [id, rob.email, 'a good reason', ['BTC', 'USDT']])
  assert.deepEqual(shown.differences, [
    { name: 'takerFeePpm', before: 1_000, after: 900 },
    { name: 'notionalMin', before: '5', after: '10' },
  ])
  assert.equal(codeIn(await approve(rob, 'markets', id)), '403 SECOND_PERSON_NEEDED')
  const done = await approve(ria, 'markets', id)
  assert.equal(done.status, 200, JSON.stringify(done.body))
  assert.deepEqual(done.body, { state: 'done', seq: world().core.exchange.seq })
  const after = await termsOf(ria, 'BTCUSDT')
  assert.deepEqual([after.takerFeePpm, after.notionalMin], [900, '10'])
  assert.equal(codeIn(await approve(ria, 'markets', id)), '409 PROPOSAL_CLOSED')
})
