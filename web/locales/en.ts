import { byArea } from './by-area.ts'

export const texts = byArea(import.meta.glob(['./en/*.json', '!./en/agreement.json'], { eager: true, import: 'default' }))
