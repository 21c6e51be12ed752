import { modes } from '../command/mode.ts'
import type { SetMode } from '../command/mode.ts'
import type { Codec } from './command.ts'
import { numberOf, wordOf } from './fields.ts'
import * as at from './layout.ts'

/** `mode.set`. */
export const modeCodec: Codec<SetMode> = {
  length: () => at.MODE_LENGTH,
  write(command, data, start) {
    data[start + at.MODE] = numberOf(modes, command.mode)
  },
  read: (data, start) => ({ type: 'mode.set', mode: wordOf(modes, data[start + at.MODE]!) }),
}
