import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { packText } from '../../protocol/codec/text.ts'
import { Records } from '../../protocol/codec/records.ts'
import { Requests, UNKNOWN } from '../requests.ts'

const slots = new Float64Array(8)

function named(text: string, body = 0): Float64Array {
  packText(text, slots, 0, 6)
  slots[6] = body
  return slots
}

test('the last requests are remembered, and those whose order is open; the ring forgets like a list', () => {
  const request = fc.record({ user: fc.integer({ min: 1, max: 3 }), name: fc.nat(60), isOpen: fc.boolean() })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 120, size: 'max' }), (list) => {
      const open = new Set<number>()
      const requests = new Requests((number) => open.has(number), 16)
      // Oldest first: what a list would remember.
      let model: { key: string; number: number }[] = []
      list.forEach(({ user, name, isOpen }, n) => {
        const key = `${user}/${name}`
        const known = model.find((entry) => entry.key === key)
        const place = requests.find(user, named(`r${name}`), 0)
        assert.equal(place === UNKNOWN ? undefined : requests.number(place), known?.number)
        if (known !== undefined) return
        const number = n + 1
        if (isOpen && open.size < 10) open.add(number)
        if (open.size >= 10) open.delete(open.values().next().value!)
        if (model.length === 16) {
          while (open.has(model[0]!.number)) model.push(model.shift()!)
          model = model.slice(1)
        }
        requests.add(user, named(`r${name}`, n), 0, 11, 6, 7, number, 0)
        model.push({ key, number })
      })
      const dump = new Records()
      requests.dump(dump)
      const copy = new Requests(() => false, 16)
      copy.restore(dump.data, 0)
      for (const { key, number } of model) {
        const [user, name] = key.split('/')
        const place = copy.find(Number(user), named(`r${name}`), 0)
        assert.equal(copy.number(place), number)
        assert.equal(copy.hasBody(place, 11, named(`r${name}`, number - 1), 6, 7), true)
        assert.equal(copy.hasBody(place, 11, named(`r${name}`, number), 6, 7), false)
        assert.equal(copy.hasBody(place, 12, named(`r${name}`, number - 1), 6, 7), false)
      }
    }),
    { numRuns: 200 },
  )
})
