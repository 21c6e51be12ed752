/** Stands for a decoder that was taken over: it answers each photo with the next of these. */
import { picture } from './pictures.ts'

const jpeg = await picture(700, 700)
const lies = (id: number): readonly unknown[] => [
  null,
  { id },
  { id, refusal: 'constructor' },
  { id, jpeg: 5, width: 700, height: 700 },
  { id, jpeg: { length: 1e9 }, width: 700, height: 700 },
  { id, jpeg: Buffer.from('the server key'), width: 700, height: 700 },
  { id, jpeg: Buffer.concat([jpeg, Buffer.from('the server key')]), width: 700, height: 700 },
  { id, jpeg, width: Number.NaN, height: 700 },
  { id, jpeg, width: 700, height: 2 ** 40 },
]

process.on('message', ({ id }: { readonly id: number }) => process.send?.(lies(id)[(id - 1) % 9]))
