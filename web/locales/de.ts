import { byArea } from './by-area.ts'

export const texts = byArea(import.meta.glob(['./de/*.json', '!./de/agreement.json'], { eager: true, import: 'default' }))
