import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Argon } from '../argon.ts'
import { cheapArgon } from './cheap-argon.ts'
import { refused } from './world.ts'

test('USER-PASSWORD-006: known devices have a queue of their own for password checks', async () => {
  const argon = cheapArgon(20)
  const order: string[] = []
  const crowd = Array.from({ length: 20 }, () => argon.tag('1', Buffer.alloc(16)).then(() => order.push('stranger')))
  await assert.rejects(argon.tag('1', Buffer.alloc(16)), refused('UNAVAILABLE'))
  const known = Array.from({ length: 3 }, () =>
    argon.tag('1', Buffer.alloc(16), { lane: 'known', owner: 'me' }).then(() => order.push('known')),
  )
  await Promise.all([...crowd, ...known])
  assert.ok(order.lastIndexOf('known') <= 6, order.join(' '))
})

test('USER-PASSWORD-007: accounts take turns at hashing, and an account that brings many runs has few of them waiting', async () => {
  const argon = cheapArgon(12)
  const order: string[] = []
  const run = (owner: string, lane: 'known' | 'stranger' = 'known') =>
    argon.tag('1', Buffer.alloc(16), { lane, owner }).then(
      () => order.push(owner),
      (error) => order.push(`${owner}: ${error.refusal}`),
    )
  const crowd = Array.from({ length: 30 }, () => run('mallory'))
  const others = ['alice', 'bob'].map((owner) => run(owner))
  await Promise.all([...crowd, ...others])
  assert.equal(order.filter((one) => one === 'mallory').length, 8)
  assert.equal(order.filter((one) => one === 'mallory: UNAVAILABLE').length, 22)
  const done = order.filter((one) => !one.includes(':'))
  assert.deepEqual(done.slice(0, 4).sort(), ['alice', 'bob', 'mallory', 'mallory'])
})

test('USER-PASSWORD-007: in a full lane the last run of whoever brought most makes room for somebody else', async () => {
  const argon = cheapArgon(9)
  const came = new Map<string, number>()
  const run = (owner: string) =>
    argon.tag('1', Buffer.alloc(16), { lane: 'stranger', owner }).then(
      () => came.set(owner, (came.get(owner) ?? 0) + 1),
      (error) => assert.equal(error.refusal, 'UNAVAILABLE'),
    )
  const crowd = Array.from({ length: 20 }, () => run('2001:db8:1:1::/64'))
  const owners = Array.from({ length: 5 }, (_, i) => run(`2001:db8:2:${i}::/64`))
  await Promise.all([...crowd, ...owners])
  assert.equal(came.get('2001:db8:1:1::/64'), 4)
  assert.equal(came.size, 6)
})

test('USER-PASSWORD-006: of three turns two are of known devices and one is of strangers, as long as both wait', async () => {
  const argon = cheapArgon()
  const order: string[] = []
  const run = (lane: 'known' | 'stranger', n: number) =>
    argon.tag('1', Buffer.alloc(16), { lane, owner: `${lane} ${n}` }).then(() => order.push(lane))
  await Promise.all([...Array.from({ length: 7 }, (_, n) => run('stranger', n)), ...Array.from({ length: 4 }, (_, n) => run('known', n))])
  // The first stranger was alone when it came.
  const [s, k] = ['stranger', 'known']
  assert.deepEqual(order, [s, k, s, k, k, s, k, s, s, s, s])
})

test('USER-PASSWORD-007: the run in progress counts as its owner’s, in its lane alone', async () => {
  const argon = cheapArgon(100)
  const run = (lane: 'known' | 'stranger', owner = 'me') => argon.tag('1', Buffer.alloc(16), { lane, owner })
  const runs = Array.from({ length: 8 }, () => run('known'))
  await assert.rejects(run('known'), { refusal: 'UNAVAILABLE', retryAfter: 5 })
  runs.push(run('stranger'), run('known', 'another'))
  await runs[0]
  runs.push(run('known'))
  await assert.rejects(run('known'), refused('UNAVAILABLE'))
  // Nine of an owner may wait in the lane of strangers.
  for (let n = 0; n < 9; n++) runs.push(run('stranger'))
  await Promise.all(runs)
})

test('USER-PASSWORD-007: in a full lane somebody with as much as the longest gets no place', async () => {
  const argon = cheapArgon(4)
  const run = (owner: string) =>
    argon.tag('1', Buffer.alloc(16), { lane: 'stranger', owner }).then(
      () => 'done',
      (error) => error.refusal as string,
    )
  const [a, b, c, d] = [run('a'), run('a'), run('b'), run('b')]
  // `a` has one in progress and one waiting, `b` two waiting.
  assert.deepEqual(await Promise.all([run('a'), run('b')]), ['UNAVAILABLE', 'UNAVAILABLE'])
  const e = run('c')
  assert.deepEqual(await Promise.all([a, b, c, d, e]), ['done', 'done', 'done', 'UNAVAILABLE', 'done'])
  assert.deepEqual(await Promise.all([run('a'), run('a'), run('a'), run('a')]), ['done', 'done', 'done', 'done'])
})

test('USER-PASSWORD-003: a stored text that is no PHC string is refused, and any other cost than today’s is outdated', async () => {
  const argon = new Argon()
  const phc = await argon.hash('river lamp forty-two')
  for (const text of [
    '',
    'x',
    `x${phc}`,
    `${phc}$`,
    phc.replace('argon2id', 'argon2i'),
    phc.replace('v=19', 'v=16'),
    phc.replace('m=19456', 'm='),
  ]) {
    await assert.rejects(argon.verify('river lamp forty-two', text), /is not an argon2id PHC string/)
    assert.throws(() => argon.isOutdated(text), /is not an argon2id PHC string/)
  }
  assert.equal(argon.isOutdated(phc), false)
  for (const [now, then] of [
    ['m=19456', 'm=19455'],
    ['t=2', 't=3'],
    ['t=2', 't=12'],
    ['p=1', 'p=2'],
    ['p=1', 'p=11'],
  ] as const)
    assert.equal(argon.isOutdated(phc.replace(now, then)), true, then)
  assert.equal(await argon.verify('river lamp forty-two', phc), true)
  assert.equal(await argon.verify('river lamp forty-two', phc.slice(0, -1) + (phc.endsWith('A') ? 'E' : 'A')), false)
})
