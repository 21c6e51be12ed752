import { byArea } from './by-area.ts'

/** What most screens say; `app/texts.ts` loads the other areas with what needs them. */
export const texts = byArea(import.meta.glob('./hk-hans/{common,fields,market,shell,trade}.json', { eager: true, import: 'default' }))

export const later = byArea(
  import.meta.glob(['./hk-hans/*.json', '!./hk-hans/{common,fields,market,shell,trade}.json'], { import: 'default' }),
)
