import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { endLeft, Keeper, type Program, readState } from '../machines/keeper.ts'
import { familyOf, isAlive, processOf, signalFamily, signalOne } from '../machines/processes.ts'
import { until } from '../machines/until.ts'

const skip = process.platform === 'linux' ? false : 'needs /proc'
const maxMs = 30_000
const network = { on: () => [], isSeparate: false }

const waiting = 'setInterval(() => 0, 1e6)'
/** A program with a child that ends soon after it. */
const parent = `require('node:child_process').spawn(process.execPath, ['-e', "process.on('disconnect', process.exit)"], { stdio: [0, 1, 2, 'ipc'] })`

async function withKeeper(code: string, use: (keeper: Keeper, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-keeper-'))
  try {
    await using keeper = new Keeper(folder, network, () => undefined)
    const program: Program = {
      name: 'm1 program',
      machine: { name: 'm1', address: '127.0.0.1', folder },
      command: [process.execPath, '-e', code],
      environment: {},
    }
    keeper.start(program)
    await use(keeper, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('RIG-KEEP-001: a program that is killed is started again, until it is stopped', { skip }, async () => {
  await withKeeper(waiting, async (keeper, folder) => {
    const first = await until('it runs', maxMs, () => keeper.pid('m1 program'))
    signalOne(first, 'SIGKILL')
    const second = await until('it runs again', maxMs, () => {
      const pid = keeper.pid('m1 program')
      return pid !== undefined && pid !== first && pid
    })
    await keeper.stop('m1 program')
    assert.equal(processOf(second), undefined)
    assert.deepEqual(readState(folder)?.programs, {})
  })
})

test('RIG-KEEP-002: what a killed rig left is ended by pid and time of start, a frozen one too, and nothing else', { skip }, async () => {
  await withKeeper(parent, async (keeper, folder) => {
    const pid = await until('it runs', maxMs, () => keeper.pid('m1 program'))
    const state = readState(folder)!
    const { startedAt } = state.programs['m1 program']!
    const other = { ...state, programs: { 'm1 program': { pid, startedAt: startedAt + 1 } } }
    await endLeft(folder, other)
    assert.ok(isAlive({ pid, startedAt }))
    const [, child] = await until('it has a child', maxMs, () => familyOf(pid).length === 2 && familyOf(pid))
    const below = processOf(child!)!
    signalFamily(pid, 'SIGSTOP')
    await endLeft(folder, state)
    assert.ok(!isAlive({ pid, startedAt }) && !isAlive(below))
    assert.equal(readState(folder), undefined)
  })
})
