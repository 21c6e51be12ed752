import { byArea } from './by-area.ts'

export const texts = byArea(import.meta.glob(['./hk-hans/*.json', '!./hk-hans/agreement.json'], { eager: true, import: 'default' }))
