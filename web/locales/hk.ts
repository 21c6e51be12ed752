import { byArea } from './by-area.ts'

export const texts = byArea(import.meta.glob(['./hk/*.json', '!./hk/agreement.json'], { eager: true, import: 'default' }))
