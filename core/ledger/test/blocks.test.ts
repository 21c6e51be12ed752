/** Blocks hold the accounts of one owner and kind for three neighbouring assets. */
import type { BlockPlace } from '../blocks.ts'
import type { AccountNumber, OwnerId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE, BLOCK, Blocks, blocksLimit, kindUnit, NONE, OWNER, ownersBelow, slotMask, usersMax } from '../blocks.ts'

const slots = [2, 3, 4, 5, 6, 7]

/** Account number before the first account of this kind and group of three assets. */
const base = (group: number, kind = 0): AccountNumber => (kind * kindUnit + group * 3) as AccountNumber

/** Blocks and a naive twin: the six sums of each block by owner and account number. */
class Both {
  readonly blocks = new Blocks()
  readonly twin = new Map<number, Map<AccountNumber, readonly number[]>>()
  #next = 1

  /** Opens a block, which must be empty if it is new, and gives it sums that no other block has. */
  open(owner: number, ...bases: readonly AccountNumber[]): void {
    const mine = this.twin.get(owner) ?? new Map<AccountNumber, readonly number[]>()
    this.twin.set(owner, mine)
    for (const number of bases) {
      const at = this.blocks.open(owner as OwnerId, number)
      assert.deepEqual(this.#sums(at), mine.get(number) ?? [0, 0, 0, 0, 0, 0], `owner ${owner}, number ${number}`)
      const sums = slots.map(() => this.#next++)
      for (const [n, slot] of slots.entries()) this.blocks.rows[at + slot] = sums[n]!
      mine.set(number, sums)
    }
  }

  /** Checks the blocks of one owner. */
  agreesOn(owner: number): void {
    const mine = [...(this.twin.get(owner) ?? [])].sort(([a], [b]) => a - b)
    const listed = this.blocks.ofOwner(owner as OwnerId)
    assert.deepEqual(
      listed.map((at) => this.#named(at)),
      mine.map(([number, sums]) => [owner, number, ...sums]),
    )
    assert.deepEqual(
      mine.map(([number]) => this.blocks.find(owner as OwnerId, number)),
      listed,
    )
  }

  agrees(): void {
    const owners = [...this.twin.keys()].sort((a, b) => a - b)
    for (const owner of owners) this.agreesOn(owner)
    const expected = owners.flatMap((owner) => this.blocks.ofOwner(owner as OwnerId))
    assert.deepEqual([...this.blocks.all()].sort(byNumber), expected.sort(byNumber))
    assert.equal(new Set(expected).size, expected.length)
    assert.equal(this.blocks.count, expected.length)
    assert.equal(this.blocks.left, blocksLimit - expected.length)
  }

  #named(at: BlockPlace): readonly number[] {
    return [this.blocks.rows[at + OWNER]!, this.blocks.rows[at + BASE]!, ...this.#sums(at)]
  }

  #sums(at: BlockPlace): readonly number[] {
    return slots.map((slot) => this.blocks.rows[at + slot]!)
  }
}

const byNumber = (a: number, b: number): number => a - b

/** Numbers below `most` that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never, number> {
  let state = seed
  let most = 1
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    most = yield Math.floor((state / 2 ** 32) * most)
  }
}

for (const seed of [1, 2, 3]) {
  test(`FUNDS-ROWS-001: blocks keep their accounts while owners get more of them, in any order (${seed})`, () => {
    const both = new Both()
    const random = numbers(seed)
    random.next()
    const below = (most: number): number => random.next(most).value
    for (let step = 0; step < 2_500; step++) {
      const owner = below(3) === 0 ? -1 - below(12) : 1 + below(below(2) === 0 ? 8 : 60)
      const kinds = [0, 0, 0, 1, 3 + 16 * below(4)]
      for (let n = below(4); n >= 0; n--) both.open(owner, base(below(below(2) === 0 ? 12 : 300), kinds[below(5)]))
      if (below(3) > 0) continue
      if (below(8) === 0) both.agreesOn(owner)
      both.blocks.tidy()
      assert.equal(both.blocks.isUntidy, false)
      both.agreesOn(owner)
      if (step % 40 === 0) both.agrees()
    }
    both.agrees()
  })
}

test('FUNDS-ROWS-001: an unknown account is the shared empty block, whatever its owner has', () => {
  const both = new Both()
  const { blocks } = both
  both.open(1, base(0))
  both.open(2, base(0), base(1))
  both.open(3, base(0), base(1), base(2))
  for (const isTidy of [false, true]) {
    if (isTidy) blocks.tidy()
    for (const owner of [-64, -1, 1, 2, 3, 4, 5_000]) {
      for (const number of [base(7), base(8), base(0, 1), base(4, 2)]) assert.equal(blocks.find(owner as OwnerId, number), NONE)
    }
  }
  assert.deepEqual(blocks.ofOwner(4 as OwnerId), [])
  assert.deepEqual(blocks.ofOwner(5_000 as OwnerId), [])
  assert.deepEqual([...blocks.rows.subarray(NONE, NONE + BLOCK)], [0, 0, 0, 0, 0, 0, 0, 0])
})

test('FUNDS-ROWS-001: only a block for which its owner has no position waits to be gathered', () => {
  const both = new Both()
  const { blocks } = both
  both.open(1, base(0))
  assert.equal(blocks.isUntidy, false)
  // Positions 1 and 3 of a run of four: three blocks apart by two need it.
  both.open(1, base(2))
  assert.equal(blocks.isUntidy, true)
  blocks.tidy()
  assert.equal(blocks.isUntidy, false)
  const [first, second] = blocks.ofOwner(1 as OwnerId)
  assert.equal(second! - first!, 2 * BLOCK)
  both.open(1, base(1))
  assert.deepEqual([blocks.isUntidy, blocks.find(1 as OwnerId, base(1)) - first!], [false, BLOCK])
  both.agrees()
})

test('FUNDS-ROWS-001: neighbouring assets stand side by side once they are gathered, shifted by the owner and by the kind', () => {
  const both = new Both()
  const groups = Array.from({ length: 16 }, (_, group) => group)
  // The blocks of kind 1 begin 2,531 positions after those of kind 0.
  for (const [owner, kind, shift] of [
    [4, 0, 4],
    [5, 0, 5],
    [6, 1, 6 + 2_531],
  ] as const) {
    both.open(owner, ...groups.map((group) => base(group, kind)))
    both.blocks.tidy()
    const found = both.blocks.ofOwner(owner as OwnerId)
    const start = Math.min(...found)
    assert.deepEqual(
      found.map((at) => (at - start) / BLOCK),
      groups.map((group) => (group + shift) % 16),
    )
  }
})

test('FUNDS-ROWS-001: a block that is moved leaves memory to others, and they find it empty', () => {
  const both = new Both()
  const { blocks } = both
  const at = (owner: number): readonly number[] => [...blocks.ofOwner(owner as OwnerId)].sort(byNumber)
  both.open(1, base(0))
  both.open(1, base(1))
  const before = at(1)
  blocks.tidy()
  both.open(2, base(0))
  both.open(3, base(0))
  assert.deepEqual([...at(2), ...at(3)].sort(byNumber), before)
  // The run of two blocks becomes one of four.
  const run = at(1)
  both.open(1, base(2), base(3))
  blocks.tidy()
  both.open(4, base(0), base(1))
  blocks.tidy()
  assert.deepEqual(at(4), run)
  both.agrees()
})

test('FUNDS-ROWS-001: a block that stands before its owner’s first one leaves its memory to others, too', () => {
  const both = new Both()
  const { blocks } = both
  both.open(1, base(0))
  const [first] = blocks.ofOwner(1 as OwnerId)
  both.open(2, base(0))
  both.open(1, base(1))
  blocks.tidy()
  both.open(2, base(1))
  assert.equal(blocks.find(2 as OwnerId, base(1)), first)
  blocks.tidy()
  const opened: number[] = []
  for (const owner of [3, 4, 5]) {
    both.open(owner, base(0))
    opened.push(...blocks.ofOwner(owner as OwnerId))
  }
  assert.deepEqual([opened.includes(first!), new Set(opened).size], [true, 3])
  both.agrees()
})

test('FUNDS-ROWS-001: a list that grows during a command leaves the memory of its smaller sizes to others', () => {
  const both = new Both()
  const { blocks } = both
  for (let owner = 1; owner <= 300; owner++) {
    for (let group = 0; group < 12; group++) both.open(owner, base(group))
    blocks.tidy()
  }
  assert.equal(blocks.directories.words.length, 1024)
  both.agrees()
})

test('FUNDS-ROWS-001: a run whose blocks stay in a directory leaves its unused positions to others', () => {
  const both = new Both()
  const { blocks } = both
  both.open(1, base(0), base(2))
  blocks.tidy()
  const [first] = [...blocks.ofOwner(1 as OwnerId)].sort(byNumber)
  const nextRun = (owner: number): void => {
    both.open(owner, base(0), base(2))
    blocks.tidy()
  }
  nextRun(2)
  // Groups 2,531 apart of kinds 0 and 1 always have the same position in a run.
  both.open(1, base(2_531 + 5), base(5, 1))
  blocks.tidy()
  both.agrees()
  const free = [first! + BLOCK, first! - BLOCK, first! + 3 * BLOCK]
  const opened: number[] = []
  for (let owner = 10; owner < 20; owner++) {
    both.open(owner, base(0))
    opened.push(...blocks.ofOwner(owner as OwnerId))
  }
  assert.equal(opened.filter((at) => free.includes(at)).length, 2)
  both.agrees()
})

test('FUNDS-ROWS-001: the memory of all owners stays below four positions for each block', () => {
  const both = new Both()
  const { blocks } = both
  let end = 0
  for (let round = 0; round < 40; round++) {
    for (let owner = 1; owner <= 30; owner++) {
      both.open(owner, base(round))
      blocks.tidy()
    }
  }
  for (const at of blocks.all()) end = Math.max(end, at)
  assert.ok(end <= blocks.count * BLOCK * 4, `${end} slots for ${blocks.count} blocks`)
  // All lists were given back after their blocks were gathered.
  assert.equal(blocks.directories.words.length, 1024)
  both.agrees()
})

test('FUNDS-ROWS-001: an account of the exchange itself has room for 768 assets, and moves only beyond them', () => {
  const blocks = new Blocks()
  const [own, user] = [-3 as OwnerId, 3 as OwnerId]
  const first = blocks.open(own, base(0))
  for (let group = 1; group < 256; group++) blocks.open(own, base(group))
  assert.equal(blocks.isUntidy, false)
  assert.equal(blocks.find(own, base(0)), first)
  blocks.open(own, base(256))
  assert.equal(blocks.isUntidy, true, 'the 257th block waits to be gathered')
  blocks.open(user, base(0))
  blocks.tidy()
  assert.equal(blocks.ofOwner(own).length, 257)
  blocks.open(user, base(1))
  assert.equal(blocks.isUntidy, true, 'a user begins with one position')
})

test('FUNDS-FULL-001: blocks are counted, and none is made beyond the limit', () => {
  const blocks = new Blocks(3)
  for (const [n, owner] of [1, 2, 1].entries()) {
    assert.deepEqual([blocks.count, blocks.left], [n, 3 - n])
    blocks.open(owner as OwnerId, base(n))
    blocks.open(owner as OwnerId, base(n))
  }
  assert.throws(() => blocks.open(3 as OwnerId, base(0)), /more accounts than rows/)
  assert.deepEqual([blocks.count, blocks.left, blocks.ofOwner(3 as OwnerId)], [3, 0, []])
  assert.deepEqual([new Blocks(2 ** 30).left, blocksLimit], [16_777_215, 16_777_215])
})

test('FUNDS-ROWS-002: tables grow when an owner or a block finds no room in them, and keep what they have', () => {
  const both = new Both()
  const { blocks } = both
  // The number of the first owner for whom the young table is too small.
  const [owners, rows] = [blocks.owners.length / 2 - ownersBelow, blocks.rows.length]
  both.open(owners - 1, base(0))
  assert.equal(blocks.owners.length, 1024)
  assert.equal(blocks.ownersEnd, owners)
  both.open(owners, base(0))
  assert.equal(blocks.ownersEnd, owners + 1)
  both.open(60_000, base(0))
  both.open(7, base(0))
  assert.equal(blocks.ownersEnd, 60_001)
  for (let owner = 1_000; blocks.count < 63; owner++) both.open(owner, base(0))
  assert.equal(blocks.rows.length, rows)
  both.open(8, base(0))
  assert.ok(blocks.rows.length > rows)
  both.agrees()
  both.open(usersMax, base(0))
  both.agrees()
})

test('FUNDS-ROWS-005: the memory for all blocks, owners and lists is allocated at once, and keeps what was there', () => {
  const both = new Both()
  const { blocks } = both
  both.open(7, base(0), base(1))
  assert.equal(blocks.reserve(), true)
  const { rows, owners } = blocks
  assert.deepEqual([rows.length, owners.length, blocks.directories.words.length], [slotMask + 1, (usersMax + ownersBelow + 1) * 2, 2 ** 27])
  both.open(usersMax, base(0))
  both.agrees()
  assert.deepEqual([blocks.rows === rows, blocks.owners === owners], [true, true])
})

test('FUNDS-ROWS-007: blocks report when the system gives the memory of one of their tables only', (t) => {
  // Bytes of the owners, of the lists and of the blocks.
  for (const refused of [2 ** 26, 2 ** 29, 2 ** 31]) {
    for (const name of ['Int32Array', 'Float64Array'] as const) {
      const kind = globalThis[name]
      const short = new Proxy(kind, {
        construct(target, given: unknown[], newTarget) {
          const bytes = typeof given[0] === 'number' ? given[0] * kind.BYTES_PER_ELEMENT : 0
          if (bytes > refused / 2 && bytes < refused * 1.5) throw new RangeError('Array buffer allocation failed')
          return Reflect.construct(target, given, newTarget) as object
        },
      })
      t.mock.property(globalThis, name, short)
    }
    const both = new Both()
    both.open(7, base(0), base(1))
    assert.equal(both.blocks.reserve(), false)
    t.mock.restoreAll()
    both.open(8, base(0), base(1))
    both.agrees()
  }
})
