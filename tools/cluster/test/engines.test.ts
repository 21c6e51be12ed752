import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineStateIn, leaderOf } from '../machines/engines.ts'

const line = (pid: number, state: string, time: number): string =>
  JSON.stringify({ level: 30, time, pid, name: 'engine', state, msg: 'engine state' })

test('RIG-DRILL-004: the leading engine is the one that opened last, by the logs of the processes that run', () => {
  const log = [
    line(7, 'up', 1),
    line(8, 'standby', 2),
    line(8, 'up', 5),
    '{"pid":8,"msg":"other"}',
    '{"pid":8,"state":"up","msg":"engine sta',
    'no JSON',
  ].join('\n')
  assert.deepEqual(engineStateIn(log, 7), { state: 'up', atMs: 1 })
  assert.deepEqual(engineStateIn(log, 8), { state: 'up', atMs: 5 })
  assert.equal(engineStateIn(log, 9), undefined)
  const machines = ['a', 'b', 'c'].map((name) => ({ name, address: '', folder: '' }))
  const [a, b, c] = machines as [(typeof machines)[0], (typeof machines)[0], (typeof machines)[0]]
  assert.equal(
    leaderOf(
      new Map([
        [a, { state: 'up', atMs: 1 }],
        [b, { state: 'up', atMs: 5 }],
        [c, { state: 'standby', atMs: 9 }],
      ]),
    ),
    b,
  )
  assert.equal(
    leaderOf(
      new Map([
        [a, undefined],
        [c, { state: 'standby', atMs: 9 }],
      ]),
    ),
    undefined,
  )
})
