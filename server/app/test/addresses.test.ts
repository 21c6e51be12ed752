import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rotateKeys } from '../../main/commands/keys.ts'
import { readSettings } from '../../main/settings.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'addresses', hasFeeds: false })
})
after(() => exchange[Symbol.asyncDispose]())

const path = '/withdrawal-addresses'
const own = { network: 'tron', address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', label: 'my wallet', owner: 'own' }
const other = {
  ...{ network: 'ethereum', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', label: 'elsewhere', owner: 'exchange' },
  ...{ exchange: 'Example Exchange', beneficiary: 'Chan Tai Man' },
}

async function proven(): Promise<TestUser> {
  const user = await exchange.user()
  await exchange.store.pool.query('update sessions set proven_at = $2 where account = (select id from accounts where uid = $1)', [
    user.uid,
    Date.now(),
  ])
  return user
}

test('ADDRESS-ROUTE-001: only the owner reads, renames and removes an address; to others it is unknown', async () => {
  assert.equal((await request(exchange.url, 'GET', path)).status, 401)
  assert.equal((await request(exchange.url, 'POST', path, own)).status, 401)
  const [alice, bob] = [await proven(), await proven()]
  const added = await alice.call('POST', path, own)
  assert.equal(added.status, 201, JSON.stringify(added.body))
  assert.deepEqual((await bob.call('GET', path)).body.addresses, [])
  for (const [method, body] of [
    ['PATCH', { label: 'mine' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await bob.call(method, `${path}/${added.body.id}`, body)
    assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'])
  }
  assert.equal((await alice.call('PATCH', `${path}/${added.body.id}`, { label: 'vault' })).body.label, 'vault')
  assert.deepEqual(
    (await alice.call('GET', path)).body.addresses.map(({ label }: { label: string }) => label),
    ['vault'],
  )
  assert.equal((await alice.call('DELETE', `${path}/${added.body.id}`)).status, 204)
  assert.equal((await alice.call('DELETE', `${path}/not-an-id`)).body.code, 'NOT_FOUND')
})

test('ADDRESS-ERASE-002: the file of stored data has the list with its names, and the removed addresses', async () => {
  const user = await proven()
  await user.call('POST', path, other)
  const { id } = (await user.call('POST', path, own)).body
  await user.call('DELETE', `${path}/${id}`)
  const { withdrawalAddresses } = (await user.call('POST', '/me/data')).body
  assert.deepEqual([withdrawalAddresses.addresses[0].beneficiary, withdrawalAddresses.past[0].address], ['Chan Tai Man', own.address])
})

test('ADDRESS-SEAL-001: names of account owners are read after the server’s key was rotated', async () => {
  const user = await proven()
  await user.call('POST', path, other)
  const sealed = async () =>
    (
      await exchange.store.pool.query('select encode(beneficiary, $1) as text from withdrawal_addresses where beneficiary is not null', [
        'hex',
      ])
    ).rows
  const before = await sealed()
  const settings = readSettings({ CANDOR_DATA: exchange.dataFolder }, exchange.dataFolder)
  await rotateKeys.run({ settings, operands: [], options: {} })
  assert.notDeepEqual(await sealed(), before)
  assert.equal((await user.call('GET', path)).body.addresses[0].beneficiary, 'Chan Tai Man')
})
