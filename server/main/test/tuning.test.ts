import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { processRoles } from '../process.ts'
import { programOf } from '../role/tuning.ts'
import { root } from '../settings.ts'

test('CLUSTER-ROLES-003: a role that starts apart becomes the process that the whole exchange starts for it', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async () => {
  for (const role of processRoles) {
    // A database that is not there: the role waits for it.
    const child = spawn(process.execPath, [join(root, 'server', 'main', 'candor.ts'), 'start', '--role', role], {
      env: { PATH: process.env['PATH'], DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      stdio: 'ignore',
    })
    const ended = new Promise<string>((resolve) => child.once('exit', (code, signal) => resolve(signal ?? String(code))))
    try {
      const { words, environment } = programOf(role)
      const read = (file: string): string[] => readFileSync(`/proc/${child.pid}/${file}`, 'utf8').split('\0').slice(0, -1)
      while (!read('cmdline').includes(words.at(-2)!)) await sleep(20)
      assert.deepEqual(read('cmdline').slice(1), words)
      // The C library ends its settings with zeros where it found colons.
      const variables = read('environ').join(':')
      for (const [name, value] of Object.entries(environment)) assert.ok(variables.includes(`${name}=${value}`), `${role} ${name}`)
    } finally {
      child.kill('SIGKILL')
      assert.equal(await ended, 'SIGKILL')
    }
  }
})
