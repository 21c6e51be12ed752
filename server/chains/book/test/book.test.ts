import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireNewWithdrawalAddress } from '@candor/core/protocol/wire/addresses.ts'
import { factorWorld } from '../../../identity/factors/test/factor-world.ts'
import { Seal } from '../../../identity/seal.ts'
import { ServerKeys } from '../../../identity/server-keys.ts'
import { minute } from '../../../identity/test/quick-world.ts'
import { outcomes, refused } from '../../../identity/test/world.ts'
import { defaultNetworks } from '../../networks.ts'
import { AddressBook } from '../book.ts'
import { addressWaitMs } from '../terms.ts'

const { world, rows, sent, customer, proveByCode, withoutLink: linked } = factorWorld()
const seal = new Seal(ServerKeys.of(Buffer.alloc(32, 7)), 'beneficiary')
/** Deposit addresses of the exchange, and faults that it was told of. */
const [ours, faults]: [Set<string>, unknown[]] = [new Set(), []]
let made: AddressBook | undefined
function opened(): AddressBook {
  const { factors, allowLists: locks, owners } = world().identity
  made ??= new AddressBook({
    ...{ store: world().store, factors, locks, owners, seal, networks: defaultNetworks, clock: world().clock },
    isOurs: async (network, address) => ours.has(`${network} ${address}`),
    onFault: (cause) => void faults.push(cause),
  })
  return made
}
const book: Pick<AddressBook, 'list' | 'add' | 'rename' | 'remove' | 'use' | 'payee'> = {
  list: (...given) => opened().list(...given),
  add: (...given) => opened().add(...given),
  rename: (...given) => opened().rename(...given),
  remove: (...given) => opened().remove(...given),
  use: (...given) => opened().use(...given),
  payee: (...given) => opened().payee(...given),
}

const tron = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const own = (given: Partial<WireNewWithdrawalAddress> = {}): WireNewWithdrawalAddress => ({
  ...{ network: 'ethereum', address: evm, label: 'my wallet', owner: 'own' },
  ...given,
})
/** The nth of many addresses that don't resemble each other. */
const nth = (n: number): string => `0x${(n + 0x1000).toString(16)}${'0'.repeat(32)}${(n + 0x1000).toString(16)}`

async function proven() {
  const one = await customer()
  await proveByCode(one)
  return one
}

test('ADDRESS-ADD-001: an address is added after a proof of the last 15 minutes, and never without', async () => {
  const one = await customer()
  await assert.rejects(book.add(own(), one.person), refused('PROOF_NEEDED'))
  await proveByCode(one)
  const added = await book.add(own({ address: evm.toLowerCase(), label: '  my \u0065\u0301 wallet ' }), one.person)
  assert.deepEqual([added.address, added.label, added.owner, added.uses], [evm, 'my é wallet', 'own', 0])
  const { addresses, networks, max } = await book.list(one.account)
  assert.deepEqual(addresses, [added])
  assert.deepEqual(
    networks.map(({ name, label }) => [name, label]),
    [
      ['tron', 'TRC20'],
      ['ethereum', 'ERC20'],
    ],
  )
  assert.equal(max, 50)
  world().pass(15 * minute)
  await assert.rejects(book.add(own({ network: 'tron', address: tron }), one.person), refused('PROOF_NEEDED'))
  await world().identity.sessions.revoke(one.account, one.person.session.id)
  await assert.rejects(book.rename(added.id, 'x', one.person), refused('UNAUTHENTICATED'))
  await assert.rejects(book.remove(added.id, one.person), refused('UNAUTHENTICATED'))
})

test('ADDRESS-ADD-002: no withdrawal goes to a new address for 24 hours; the database takes no shorter wait', async () => {
  const one = await proven()
  const { id, addedAt, usableAt } = await book.add(own(), one.person)
  assert.deepEqual([addedAt, usableAt], [world().clock(), world().clock() + addressWaitMs])
  assert.equal(addressWaitMs, 24 * 3_600_000)
  world().pass(addressWaitMs - 1)
  await assert.rejects(book.use(world().store.db, one.account, id), refused('ADDRESS_WAITS'))
  world().pass(1)
  assert.equal((await book.use(world().store.db, one.account, id)).address, evm)
  await assert.rejects(rows('update withdrawal_addresses set usable_at = added_at + 86399999 where id = $1', id), /check/)
})

test('ADDRESS-ADD-003: every address of the account is told of a new one, with a link that freezes the account, and the inbox too', async () => {
  const one = await proven()
  await book.add(own({ network: 'tron', address: tron }), one.person)
  const message = linked((await sent(one.to)).at(-1)!)
  assert.equal(message.template, 'withdrawal-address-added')
  const { network, destination, until } = message.values
  assert.deepEqual([network, destination, until], ['TRC20', tron, String(world().clock() + addressWaitMs)])
  const [notice] = await rows("select data from notices where account = $1 and kind = 'withdrawal-address-added'", one.account)
  const data = notice!['data'] as Readonly<Record<string, string>>
  assert.deepEqual([data['network'], data['destination']], ['TRC20', tron])
  const log = await rows("select detail from audit_log where account = $1 and action = 'withdrawal-address-added'", one.account)
  assert.deepEqual(
    log.map(({ detail }) => (detail as { destination: string }).destination),
    [tron],
  )
})

test('ADDRESS-ADD-004: an account at another exchange has that exchange’s name and the name of its owner, which is encrypted; an own wallet has neither', async () => {
  const one = await proven()
  const other = own({ owner: 'exchange', exchange: 'Example Exchange', beneficiary: ' Chan  Tai Man ' })
  for (const field of ['exchange', 'beneficiary'] as const) {
    const { [field]: _, ...rest } = other
    await assert.rejects(book.add(rest, one.person), refused('FIELD_MISSING'))
    await assert.rejects(book.add(own({ [field]: 'Somebody' }), one.person), refused('FIELD_INVALID'))
  }
  const added = await book.add(other, one.person)
  assert.deepEqual([added.exchange, added.beneficiary], ['Example Exchange', 'Chan Tai Man'])
  const [row] = await rows('select beneficiary from withdrawal_addresses where id = $1', added.id)
  const sealed = row!['beneficiary'] as Buffer
  assert.equal(seal.open(sealed, added.id), 'Chan Tai Man')
  assert.equal(sealed.includes('Chan'), false)
  // Moved to another row, it opens for nobody, and the list is there without it.
  const second = await book.add({ ...other, network: 'tron', address: tron }, one.person)
  await rows('update withdrawal_addresses set beneficiary = $2 where id = $1', second.id, sealed)
  const { addresses } = await book.list(one.account)
  assert.deepEqual(
    addresses.map(({ beneficiary }) => beneficiary),
    ['Chan Tai Man', undefined],
  )
  assert.equal(faults.length, 1)
})

test('ADDRESS-ADD-005: a list has at most 50 addresses, and an account adds at most 20 a day, in parallel too', async () => {
  const one = await proven()
  const add = (n: number) => book.add(own({ address: nth(n), label: `wallet ${n}` }), one.person)
  for (let n = 0; n < 18; n++) await add(n)
  assert.deepEqual((await outcomes([18, 19, 20, 21].map(add))).toSorted(), ['TOO_MANY_TRIES', 'TOO_MANY_TRIES', 'done', 'done'])
  const [first] = (await book.list(one.account)).addresses
  await book.remove(first!.id, one.person)
  await assert.rejects(add(40), refused('TOO_MANY_TRIES'))
  world().pass(24 * 60 * minute)
  await proveByCode(one)
  for (let n = 50; n < 69; n++) await add(n)
  world().pass(24 * 60 * minute)
  await proveByCode(one)
  for (let n = 70; n < 81; n++) await add(n)
  assert.deepEqual((await outcomes([81, 82, 83].map(add))).toSorted(), ['ADDRESS_LIST_FULL', 'ADDRESS_LIST_FULL', 'done'])
  assert.equal((await book.list(one.account)).addresses.length, 50)
})

test('ADDRESS-ADD-006: an address is on a list once for each network; one that was removed waits anew', async () => {
  const one = await proven()
  const results = await outcomes([1, 2, 3].map(() => book.add(own(), one.person)))
  assert.deepEqual(results.toSorted(), ['ADDRESS_LISTED', 'ADDRESS_LISTED', 'done'])
  await assert.rejects(book.add(own({ address: evm.toLowerCase() }), one.person), refused('ADDRESS_LISTED'))
  const [first] = (await book.list(one.account)).addresses
  world().pass(minute)
  await book.remove(first!.id, one.person)
  const again = await book.add(own(), one.person)
  assert.equal(again.usableAt, first!.usableAt + minute)
  assert.notEqual(again.id, first!.id)
})

test('ADDRESS-ADD-007: a deposit address of the exchange is refused, which nobody learns without a proof', async () => {
  const one = await customer()
  ours.add(`tron ${tron}`)
  const add = () => book.add(own({ network: 'tron', address: tron }), one.person)
  await assert.rejects(add(), refused('PROOF_NEEDED'))
  await proveByCode(one)
  await assert.rejects(add(), refused('ADDRESS_OURS'))
  ours.clear()
})

test('ADDRESS-FORMAT-006: an unknown network, and each fault of an address, is named before a proof is asked for; contracts of tokens belong to nobody', async () => {
  const one = await customer()
  const said = (network: string, address: string) => outcomes([book.add(own({ network, address }), one.person)])
  assert.deepEqual(await said('bitcoin', evm), ['NETWORK_UNKNOWN'])
  assert.deepEqual(await said('ethereum', 'nonsense'), ['ADDRESS_INVALID'])
  assert.deepEqual(await said('ethereum', evm.replace('aA', 'Aa')), ['ADDRESS_CHECKSUM'])
  assert.deepEqual(await said('ethereum', tron), ['ADDRESS_OTHER_NETWORK'])
  assert.deepEqual(await said('tron', evm), ['ADDRESS_OTHER_NETWORK'])
  assert.deepEqual(await said('tron', `${tron.slice(0, -1)}F`), ['ADDRESS_CHECKSUM'])
  assert.deepEqual(await said('ethereum', `0x${'0'.repeat(40)}`), ['ADDRESS_KEYLESS'])
  for (const { name, tokens } of defaultNetworks)
    for (const { contract } of tokens) if (contract !== undefined) assert.deepEqual(await said(name, contract), ['ADDRESS_KEYLESS'])
})

const like = `${evm.slice(0, 6).toLowerCase()}${'3'.repeat(32)}${evm.slice(-4).toLowerCase()}`

test('ADDRESS-ALIKE-002: an address that looks like another one of the list is added only with the characters in its middle', async () => {
  const one = await proven()
  await book.add(own(), one.person)
  await assert.rejects(book.add(own({ address: like }), one.person), refused('ADDRESS_ALIKE'))
  await assert.rejects(book.add(own({ address: like, middle: 'b9A09f33' }), one.person), refused('ADDRESS_ALIKE'))
  const added = await book.add(own({ address: like, middle: '3333 3333' }), one.person)
  assert.equal(added.address.toLowerCase(), like)
  const other = await proven()
  assert.equal((await book.add(own({ address: like }), other.person)).label, 'my wallet')
})

test('ADDRESS-ALIKE-003: removed addresses are compared too, and the list names the newest of them', async () => {
  const one = await proven()
  const { id } = await book.add(own({ label: 'cold wallet' }), one.person)
  await book.remove(id, one.person)
  assert.deepEqual((await book.list(one.account)).past, [{ network: 'ethereum', address: evm, label: 'cold wallet' }])
  await assert.rejects(book.add(own({ address: like }), one.person), refused('ADDRESS_ALIKE'))
})

test('ADDRESS-LOCK-001: while the address lock is on, nothing is added, also in the 24 hours in which it is being switched off', async () => {
  const one = await proven()
  const { allowLists } = world().identity
  const { id } = await book.add(own(), one.person)
  const add = () => book.add(own({ network: 'tron', address: tron }), one.person)
  await allowLists.set(true, one.person)
  await assert.rejects(add(), refused('ADDRESS_LIST_LOCKED'))
  assert.deepEqual((await book.list(one.account)).lock, { isOn: true, endsAt: null })
  await book.rename(id, 'renamed', one.person)
  await allowLists.set(false, one.person)
  await assert.rejects(add(), refused('ADDRESS_LIST_LOCKED'))
  world().pass(24 * 60 * minute)
  await proveByCode(one)
  // A lock that comes at the same moment is either before the address or after it.
  const [added] = await outcomes([add(), allowLists.set(true, one.person)])
  const { addresses, lock } = await book.list(one.account)
  assert.deepEqual([addresses.length, lock.isOn], [added === 'done' ? 2 : 1, true])
})

test('ADDRESS-NAME-001: the name can be changed, which needs no proof and is logged', async () => {
  const one = await proven()
  const { id } = await book.add(own(), one.person)
  world().pass(20 * minute)
  assert.equal((await book.rename(id, ' vault ', one.person)).label, 'vault')
  assert.equal((await rows("select 1 from audit_log where account = $1 and action = 'withdrawal-address-renamed'", one.account)).length, 1)
  const other = await customer()
  await assert.rejects(book.rename(id, 'mine', other.person), refused('NOT_FOUND'))
})

test('ADDRESS-REMOVE-001: an address is removed at once and without a proof, and every address of the account is told', async () => {
  const one = await proven()
  const { id } = await book.add(own(), one.person)
  world().pass(addressWaitMs)
  const other = await customer()
  await assert.rejects(book.remove(id, other.person), refused('NOT_FOUND'))
  assert.deepEqual((await outcomes([book.remove(id, one.person), book.remove(id, one.person)])).toSorted(), ['NOT_FOUND', 'done'])
  assert.deepEqual((await book.list(one.account)).addresses, [])
  const message = (await sent(one.to)).at(-1)!
  assert.deepEqual([message.template, message.values['destination']], ['withdrawal-address-removed', evm])
  await assert.rejects(book.rename(id, 'x', one.person), refused('NOT_FOUND'))
})

test('ADDRESS-USE-001: a withdrawal goes only to an address on the account’s own list, which counts its uses', async () => {
  const [one, other] = [await proven(), await customer()]
  const { id } = await book.add(own(), one.person)
  world().pass(addressWaitMs)
  const use = (account: string) =>
    world()
      .store.db.transaction()
      .execute((tx) => book.use(tx, account, id))
  await assert.rejects(use(other.account), refused('ADDRESS_UNKNOWN'))
  const [first, second] = await Promise.all([use(one.account), use(one.account)])
  assert.deepEqual([first, first.network, first.address], [second, 'ethereum', evm])
  const used = (await book.list(one.account)).addresses[0]!
  assert.deepEqual([used.uses, used.lastUsedAt], [2, world().clock()])
  await book.remove(id, one.person)
  await assert.rejects(use(one.account), refused('ADDRESS_UNKNOWN'))
})

test('ADDRESS-USE-002: who gets a withdrawal is known by the number of the address, also after it was removed', async () => {
  const one = await proven()
  const { id } = await book.add(own({ owner: 'exchange', exchange: 'Example Exchange', beneficiary: 'Chan Tai Man' }), one.person)
  world().pass(addressWaitMs)
  const { number } = await book.use(world().store.db, one.account, id)
  await book.remove(id, one.person)
  const names = { owner: 'exchange', exchange: 'Example Exchange', beneficiary: 'Chan Tai Man' }
  assert.deepEqual(await book.payee(number), { number, network: 'ethereum', address: evm, ...names })
  assert.equal(await book.payee(number + 1_000), undefined)
})

test('ADDRESS-USE-003: withdrawals to an address, its removal and its renaming wait for each other, and none fails because of that', async () => {
  const one = await proven()
  const { id } = await book.add(own(), one.person)
  world().pass(addressWaitMs)
  const use = () =>
    world()
      .store.db.transaction()
      .execute((tx) => book.use(tx, one.account, id))
  const results = await outcomes([use(), book.rename(id, 'a', one.person), use(), book.remove(id, one.person), use(), use()])
  assert.equal(results[3], 'done')
  assert.deepEqual(
    results.filter((result) => result !== 'done' && result !== 'ADDRESS_UNKNOWN' && result !== 'NOT_FOUND'),
    [],
  )
  const [row] = await rows('select uses from withdrawal_addresses where id = $1', id)
  assert.equal(row!['uses'], [0, 2, 4, 5].filter((at) => results[at] === 'done').length)
})
